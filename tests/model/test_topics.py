"""The join of sends and consumers, over whole checkouts."""

from __future__ import annotations

from pathlib import Path

from subdrift.linter import pipeline
from subdrift.linter.model.topics import Map, joined
from subdrift.linter.sources.checkout import Repository

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>
{more}</project>
"""
USES = (
    "<dependencies><dependency><groupId>g</groupId><artifactId>common</artifactId>"
    "<version>1</version></dependency></dependencies>"
)
MODULES = "<modules><module>common</module><module>one</module><module>two</module></modules>"
BUS = """package common;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.springframework.stereotype.Component;
@Component public class Bus {
  private final RocketMQTemplate template;
  public Bus(RocketMQTemplate template) { this.template = template; }
  public void send(Kind kind, String body) { template.syncSend(kind.name(), body); }
}
"""
APP = """package {name};
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
@SpringBootApplication(scanBasePackages = {{"{name}", "common"}}) public class App {{
  public static void main(String[] a) {{ SpringApplication.run(App.class, a); }}
}}
"""
CALLER = """package {name};
import common.Bus;
import common.Kind;
import org.springframework.web.bind.annotation.*;
@RestController class Web {{
  private final Bus bus;
  Web(Bus bus) {{ this.bus = bus; }}
  @PostMapping("/a") void a() {{ bus.send(Kind.PAID, "x"); }}
}}
"""


def found(folder: Path, calling: set[str]) -> Map:
    """Two applications that take in one wrapper; `calling` are those that call it."""
    files = {
        "pom.xml": POM.format(name="all", more=f"<packaging>pom</packaging>{MODULES}"),
        "common/pom.xml": POM.format(name="common", more=""),
        "common/src/main/java/common/Bus.java": BUS,
        "common/src/main/java/common/Kind.java": "package common;\npublic enum Kind { PAID, SHIPPED }\n",
    }
    for name in ("one", "two"):
        files[f"{name}/pom.xml"] = POM.format(name=name, more=USES)
        files[f"{name}/src/main/java/{name}/App.java"] = APP.format(name=name)
        if name in calling:
            files[f"{name}/src/main/java/{name}/Web.java"] = CALLER.format(name=name)
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    repository = Repository("r", str(folder))
    options = pipeline.Options(workers=1, sends=True)
    return joined((), pipeline.analyse([repository], (), options=options).consumers)


def test_a_wrapper_that_an_application_does_not_call_is_no_send_of_it(tmp_path: Path) -> None:
    map_ = found(tmp_path, {"one"})
    assert [(one.name, {each.sender.deployable for each in one.sent}) for one in map_.topics] == [
        ("PAID", {"one"})
    ]
    assert map_.unknown == ()


def test_a_wrapper_that_nobody_calls_may_send_to_any_topic(tmp_path: Path) -> None:
    map_ = found(tmp_path, set())
    assert map_.topics == ()
    assert {one.sender.deployable for one in map_.unknown} == {"one", "two"}
