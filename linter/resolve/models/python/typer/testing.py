"""https://typer.tiangolo.com/tutorial/testing/"""

from click.testing import CliRunner, Result
