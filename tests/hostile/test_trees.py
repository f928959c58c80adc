"""Trees made to harm: files, links, names, encodings, nesting, values, git. Their neighbours are still found."""

from __future__ import annotations

import os
import random
import resource
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.kit import Case, git, listener, run

Make = Callable[[Path], object]


def text(name: str, content: str) -> Make:
    return data(name, content.encode())


def data(name: str, content: bytes) -> Make:
    def make(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    return make


def fifo(name: str) -> Make:
    def make(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.unlink()
        os.mkfifo(path)

    return make


def repository(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")


def in_git(make: Make) -> Make:
    def both(root: Path) -> None:
        repository(root)
        make(root)

    return both


def tracked_then_fifo(root: Path) -> None:
    listener(root, "P", "a")
    repository(root)
    fifo("P.java")(root)


def unix_socket(root: Path) -> None:
    here = os.getcwd()
    os.chdir(root)  # the path of a socket may have some hundred bytes
    try:
        socket.socket(socket.AF_UNIX).bind("S.java")
    finally:
        os.chdir(here)


def outside(root: Path) -> Path:
    folder = root.parent / "outside"
    listener(folder, "Secret", "secret", group="stolen")
    (folder / "secret.yml").write_text("rocketmq:\n  stolen-key: stolen\n")
    return folder


def link_out(root: Path) -> None:
    folder = outside(root)
    (root / "file.java").symlink_to(folder / "Secret.java")
    (root / "folder").symlink_to(folder)


def folder_became_link(root: Path) -> None:
    folder = outside(root)
    listener(root / "moved", "Secret", "a")
    repository(root)
    (root / "moved" / "Secret.java").unlink()
    (root / "moved").rmdir()
    (root / "moved").symlink_to(folder)


def link_loop(root: Path) -> None:
    (root / "loop").symlink_to(".")
    (root / "Me.java").symlink_to("Me.java")


def index_out(root: Path) -> None:
    """An index with a path that leads out; git writes none, but reads one."""
    folder = outside(root)
    listener(root / "xx", "Secret", "a")
    repository(root)
    index = root / ".git" / "index"
    content = index.read_bytes().replace(b"xx/Secret.java", b"../outside/Sec")
    index.write_bytes(content)
    assert folder.exists()


def deep(root: Path, levels: int = 300) -> None:
    """A listener at the end of a path as long as the system allows."""
    here = os.getcwd()
    os.chdir(root)
    try:
        for _ in range(levels):
            os.mkdir("d" * 10)
            os.chdir("d" * 10)
        listener(Path("."), "Deep", "c")
    finally:
        os.chdir(here)


def too_deep(root: Path) -> None:
    """A path longer than git and the system take."""
    deep(root, 374)


def odd_names(root: Path) -> None:
    for name in (
        b"\xff\xfe.java",
        b"a\nb.java",
        b"::error::x.java",
        b"\x1b[31m.java",
        "\u202ex.java".encode(),
    ):
        with open(os.fsencode(root) + b"/" + name, "wb") as out:
            out.write(
                b"import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer; class Z { void subscribe() {{ }"
            )


def mirror(tree: Callable[[Path], str]) -> Make:
    """A bare repository whose HEAD is a commit of a tree that `tree` makes with git's plumbing."""

    def make(root: Path) -> None:
        bare = root / "mirror.git"
        git(root, "init", "-q", "--bare", str(bare))
        git(bare, "update-ref", "HEAD", git(bare, "commit-tree", "-m", "evil", tree(bare).strip()).strip())

    return make


def entry(mode: str, name: bytes, oid: str) -> bytes:
    return mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid)


def literal_tree(bare: Path, *entries: bytes) -> str:
    """A tree that git itself would not write."""
    return git(bare, "hash-object", "-t", "tree", "-w", "--literally", file_of(bare, b"".join(entries)))


def file_of(bare: Path, content: bytes) -> str:
    path = bare / "content"
    path.write_bytes(content)
    return str(path)


def odd_entries(bare: Path) -> str:
    """Names that lead out of a tree, twice the same, of other kinds than they say, and of objects that are not there."""
    blob = git(bare, "hash-object", "-w", file_of(bare, LISTENER_TEXT.encode())).strip()
    empty = git(bare, "hash-object", "-t", "tree", "-w", file_of(bare, b"")).strip()
    names = (
        b"..",
        b".git",
        b"a/b.java",
        b"/etc/A.java",
        b"A.java",
        b"A.java",
        b"\xff.java",
        b"n\nl.java",
    )
    return literal_tree(
        bare,
        *(entry("100644", name, blob) for name in names),
        entry("40000", b"blob-as-folder", blob),
        entry("100644", b"folder.java", empty),
        entry("100644", b"gone.java", "1" * 40),
        entry("40000", b"gone", "2" * 40),
        entry("120000", b"link.java", blob),
        entry("160000", b"module.java", "3" * 40),
        entry("777777", b"mode.java", blob),
    )


def nameless_entry(bare: Path) -> str:
    """What git itself refuses to list."""
    blob = git(bare, "hash-object", "-w", file_of(bare, b"")).strip()
    return literal_tree(bare, entry("100644", b"", blob))


def broken_mirror(root: Path) -> None:
    """A bare repository whose objects are cut off, and one whose HEAD names itself."""
    listener(root / "whole", "Whole", "a")
    repository(root / "whole")
    git(root, "clone", "-q", "--bare", "whole", "cut.git")
    for path in (root / "cut.git" / "objects").glob("??/*"):
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[:20])
    git(root, "init", "-q", "--bare", "circle.git")
    (root / "circle.git" / "refs" / "heads" / "main").write_text("ref: refs/heads/main\n")


def owners_out(root: Path) -> None:
    folder = outside(root)
    (folder / "CODEOWNERS").write_text("* @stolen\n")
    (folder / "catalog-info.yaml").write_text("spec: {owner: stolen}\n")
    (root / "CODEOWNERS").symlink_to(folder / "CODEOWNERS")
    (root / "catalog-info.yaml").symlink_to(folder / "catalog-info.yaml")


def unreadable(root: Path) -> None:
    listener(root, "Hidden", "z").chmod(0)


def bytes_of(name: str, size: int) -> Make:
    return data(
        name, b"org.apache.rocketmq RocketMQMessageListener subscribe " + random.Random(7).randbytes(size)
    )


def java(body: str) -> str:
    return (
        "package x; import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
        "class Bad { void m() throws Exception {\n"
        'DefaultMQPushConsumer c = new DefaultMQPushConsumer("g2"); c.subscribe("T2", "a");\n'
        f"{body}\n"
        "} }\n"
    )


def python(body: str) -> str:
    return (
        "from rocketmq.client import PushConsumer\n"
        'consumer = PushConsumer("g3")\nconsumer.subscribe("T3", print, "a")\n' + body + "\n"
    )


def spring(body: str) -> str:
    return "rocketmq:\n  name-server: localhost:9876\n" + body


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40))
TEXT_BOMB = "a0: &a0 {k: x}\n" + "".join(
    f"a{i}: &a{i} {{k: *a{i - 1}, l: *a{i - 1}}}\n" for i in range(1, 40)
)

LISTENER_TEXT = (
    "package x;\nimport org.apache.rocketmq.spring.annotation.RocketMQMessageListener;\n"
    "import org.apache.rocketmq.spring.core.RocketMQListener;\n"
    "@org.springframework.stereotype.Component "
    '@RocketMQMessageListener(consumerGroup = "g", topic = "T", selectorExpression = "sixteen")\n'
    "class Sixteen implements RocketMQListener<String> { public void onMessage(String m) {} }\n"
)

ORG = ("check", "--org", "{root}", "--no-cache")
OWNERS = ("check", "{root}", "--no-cache", "--output-format", "concise")

CASES = (
    # files
    Case("a named pipe", fifo("Pipe.java"), named=("not read",)),
    Case("a named pipe that was a tracked file", tracked_then_fifo, named=("P.java", "not read")),
    Case("a pipe for .gitignore", fifo(".gitignore")),
    Case("a pipe for .gitignore in git", in_git(fifo(".gitignore")), named=(".gitignore: git would wait",)),
    Case("a pipe for the configuration of git", in_git(fifo(".git/config")), named=("git would wait",)),
    Case("a pipe for .git", fifo(".git"), named=("git would wait",)),
    Case("a pipe for .subdrift.toml", fifo(".subdrift.toml"), (2,), found=False, named=("is a named pipe",)),
    Case("a pipe for pyproject.toml", fifo("pyproject.toml")),
    Case("a pipe for application.yml", fifo("src/main/resources/application.yml")),
    Case("a folder for .subdrift.toml", text(".subdrift.toml/x", ""), (2,), found=False, named=("is a folder",)),
    Case("a socket", unix_socket, named=("not read",)),
    Case("a file nobody may read", unreadable, codes=(1,)),
    Case("a megabyte of noise in Java", bytes_of("Noise.java", 1_400_000), times=40),
    Case("noise in Python", bytes_of("noise.py", 200_000)),
    Case("noise in YAML", bytes_of("application.yml", 200_000)),
    Case("noise in XML", bytes_of("spring-rocketmq.xml", 200_000)),
    # links
    Case("links out of the tree", link_out, named=("was not followed",), never=("stolen", "secret")),
    Case("a tracked folder that became a link", folder_became_link, named=("behind a symbolic link",), never=("stolen",)),
    Case("links in circles", link_loop),
    Case("an index with a path that leads out", index_out, never=("stolen",)),
    # mirrors
    Case("a mirror of odd entries", mirror(odd_entries), command=ORG, never=("\nl.java",)),
    Case("a mirror that git cannot list", mirror(nameless_entry), command=ORG, named=("mirror.git: git cannot list HEAD",)),
    Case("mirrors that are broken", broken_mirror, command=ORG, named=("cut.git", "circle.git")),
    # owners
    Case("owners in a pipe", in_git(fifo("CODEOWNERS"))),
    Case("a catalogue in a pipe", in_git(fifo("catalog-info.yaml"))),
    Case("owners that are a link out of the tree", owners_out, command=OWNERS, never=("stolen",)),
    Case("owners by patterns that backtrack",
         text("CODEOWNERS", ("*a" * 60 + "**/" * 60 + "b @x\n") * 3_000), command=OWNERS, times=25),
    Case("owners that steer",
         data("CODEOWNERS", b"* @\x1b[31m ::error::@x \xff@y ##[error]@z @" + b"o" * 100_000 + b"\n"),
         command=OWNERS, never=("\n::error", "\x1b[31m", "\n##[")),
    Case("a catalogue that steers", text("catalog-info.yaml", 'spec: {owner: "\\n::error::x\\e[31m"}\n'), command=OWNERS,
         never=("\n::error", "\x1b[31m")),
    Case("a catalogue of aliases", text("catalog-info.yaml", BOMB + "spec: {owner: *a39}\n"), command=OWNERS),
    Case("a catalogue that is deep", text("catalog-info.yaml", "spec: " + "{owner: " * 20_000 + "}" * 20_000), command=OWNERS),
    # what a person names
    Case("a pipe for --since", fifo("pipe"), (2,), found=False, named=("is a named pipe",),
         command=("check", "{root}", "--no-cache", "--since", "{root}/pipe")),
    Case("a device for --since", lambda root: None, (2,), found=False, named=("/dev/zero",),
         command=("check", "{root}", "--no-cache", "--since", "/dev/zero")),
    # names
    Case("names that steer", odd_names, never=("\n::error", "\x1b[31m.java", "\u202e")),
    Case("a path as long as the system allows", deep, named=("lies deeper than",)),
    Case("a path longer than the system allows, in git", in_git(too_deep), named=("File name too long",)),
    Case("a path as long as the system allows, in git", in_git(deep)),
    Case("a .gitignore made to be slow", text(".gitignore", ("*a" * 40 + "b\n") * 50)),
    Case("a .gitignore of many lines", text(".gitignore", "".join(f"x{i}*y/**/z\n" for i in range(40_000)))),
    # encodings
    Case("UTF-16 without a mark", data("U.java", LISTENER_TEXT.encode("utf-16-le")), named=("sixteen",)),
    Case("UTF-16, big end first, without a mark", data("U.java", LISTENER_TEXT.encode("utf-16-be")), named=("sixteen",)),
    Case("UTF-32", data("U.java", LISTENER_TEXT.encode("utf-32")), named=("sixteen",)),
    Case("UTF-32 without a mark", data("U.java", LISTENER_TEXT.encode("utf-32-le")), named=("sixteen",)),
    Case("YAML in UTF-16 without a mark", data("application.yml", spring("").encode("utf-16-le"))),
    # nesting
    Case("parentheses in Java", text("N.java", java(f"int x = {'(' * 20_000}1{')' * 20_000};"))),
    Case("a sum in Java", text("N.java", java(f"String s = {' + '.join(['c'] * 20_000)};")), times=25),
    Case("a chain of calls in Java", text("N.java", java("c" + ".x()" * 10_000 + ";")), times=25),
    Case("classes in classes", text("N.java", "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer; "
         + "class A { void subscribe() {} " * 3_000 + "}" * 3_000), times=25),
    Case("annotations in annotations", text("N.java", "import org.apache.rocketmq.spring.annotation.RocketMQMessageListener; "
         + "@A(" * 5_000 + '@RocketMQMessageListener(topic="t")' + ")" * 5_000 + " class N {}"), times=25),
    Case("blocks in Java", text("N.java", java("{" * 5_000 + "}" * 5_000)), times=25),
    Case("parentheses in Python", text("n.py", python("x = " + "(" * 5_000 + "1" + ")" * 5_000))),
    Case("a chain of calls in Python", text("n.py", python("consumer" + ".x()" * 5_000)), times=25),
    Case("brackets in YAML", text("application.yml", spring("a: " + "[" * 20_000 + "]" * 20_000))),
    Case("levels in YAML", text("application.yml", spring("".join(" " * i + "a:\n" for i in range(2_000))))),
    Case("elements in XML", text("spring.xml", "<beans>" + "<a>" * 50_000 + "</a>" * 50_000 + "</beans>")),
    Case("elements in a pom", text("pom.xml", "<project>" + "<a>" * 50_000 + "</a>" * 50_000 + "</project>")),
    Case("blocks in Gradle", text("build.gradle", "a {" * 20_000 + "}" * 20_000), times=25),
    Case("tables in pyproject.toml", text("pyproject.toml", "a = " + "[" * 20_000)),
    Case("keys in pyproject.toml", text("pyproject.toml", "[" + ".".join(["a"] * 50_000) + "]\n")),
    # values
    Case("aliases in YAML", text("application.yml", spring(BOMB))),
    Case("aliases of tables in YAML", text("application.yml", spring(TEXT_BOMB))),
    Case("entities in XML", text("spring-rocketmq.xml", '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
         + "".join(f'<!ENTITY b{i} "&{"a" if not i else f"b{i - 1}"};&{"a" if not i else f"b{i - 1}"};">' for i in range(40))
         + "]><beans>&b39;</beans>")),
    Case("an entity out of a file", text("spring-rocketmq.xml",
         '<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/passwd">]><beans><bean id="&x;"/></beans>'), never=("root:",)),
    Case("placeholders in circles", text("application.properties", "".join(f"k{i}=${{k{(i + 1) % 50}}}\n" for i in range(50)))),
    Case("an identifier of a megabyte", lambda root: listener(root, "Long", "t" * 1_000_000), times=25),
    Case("a tag list of a megabyte",
         lambda root: listener(root, "Long", "||".join(f"t{i}" for i in range(100_000))), times=40),
)  # fmt: skip


FAST = frozenset((
    "a named pipe", "a named pipe that was a tracked file", "a pipe for .gitignore in git", "a pipe for .subdrift.toml",
    "links out of the tree", "a tracked folder that became a link", "an index with a path that leads out",
    "names that steer", "UTF-16 without a mark", "aliases of tables in YAML", "annotations in annotations",
))  # fmt: skip
"""Run in `make test` too."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(one, id=one.name, marks=[pytest.mark.slow] * (one.name not in FAST)) for one in CASES],
)
def test_a_hostile_tree(case: Case, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    ran = case.hold(root)
    assert max(map(len, ran.out.splitlines()), default=0) < 8_000
    assert len(ran.out) < 200_000


def test_few_open_files_are_enough_for_many_repositories(tmp_path: Path) -> None:
    """Git lists a few repositories at a time: none is walked, which would miss what is tracked though `.gitignore` names it."""
    for number in range(40):
        root = tmp_path / f"r{number}"
        listener(root, "A", "a")
        listener(root / "left", "B", "a")
        (root / ".gitignore").write_text("left\n")
        git(root, "init", "-q")
        git(root, "add", "--force", ".")
    ran = run(
        "check", "--org", tmp_path, "--no-cache", "--exit-zero",
        prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert "80 consumers, 80 files" in ran.out
