"""Knowledge that is taken away may cost an exact answer; a sample of `python -m tests.oracle.ablation`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from zlib import crc32

import pytest

from tests.oracle import ablation, idioms, store
from tests.oracle.analyzer import rows
from tests.oracle.knowledge import listed, without
from tests.oracle.program import Program

FAULTS = tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))["ablation"]
SEED = 23
TIMES = {"single": 40, "tenth": 2, "half": 1}


@pytest.mark.parametrize("kind", ablation.KINDS)
def test_what_is_not_known_costs_an_answer_and_never_the_truth(kind: str) -> None:
    late = {one.name for draw in idioms.DRAWS[1:] for one in store.load(idioms.recorded(draw))}
    names = [
        name for name in sorted(ablation.programs()) if crc32(name.encode()) % 4 == 0 and name not in late
    ]
    total = ablation.run(kind, names, TIMES.get(kind, 0), SEED)
    assert total.runs > 0
    assert len(total.faults) <= FAULTS[kind], "\n".join(total.faults)


DRAWN = {
    "p021157": {"peer python.builtins.property"},
    "croft_watch": {"peer python.builtins.property"},
    "loom_streams": {"python list.pop"},
    "lodge_units": {"python dict.get"},
    "lofts_presses": {"peer python.builtins.range"},
    "turn_condition": {"peer python.builtins.len"},
    "turn_stack_in_loop": {"peer python.contextlib.ExitStack.push_async_exit"},
    "granary_events": {"peer python.heapq.heappush"},
    "barn_proxies": {"peer python.builtins.callable", "python dict.update"},
    "kotlin-arcade_order": {"peer jvm.map.put"},
    "aqueduct_functions": {"peer jvm.map.put"},
    "plant_expressions": {"peer jvm.map.computeIfAbsent"},
    "library_values": {"peer jvm.stream.count"},
    "mapper_forms": {"peer java.List.of"},
    "refresh_loop": {"peer java.List.of"},
    "weir_rollout": {"java String.split"},
    "port_config": {"java List.get", "java List.size"},
    "kitchen_menu_tree": {"peer jvm.collection.forEach"},
    "utility_fastjson": {"peer jvm.collection.add"},
    "picocli_command": {"models java/picocli/CommandLine.java", "peer java.List.of"},
    "annotated_fields": {"peer java.ReflectedMembers.set"},
    "constructor_injection": {"java HashMap.get", "java HashMap.put"},
    "port_codes": {"java Stream.sum"},
    "kitchen_script": {"java Stream.toList"},
    "inner_pipeline": {"peer java.List.of"},
    "policy_chain": {"peer jvm.stream.reduce"},
    "guice_maps": {"peer java.InjectedKeys.construct"},
    "lifecycle_states": {"peer jvm.map.values"},
    "saga_steps": {"java ArrayDeque.push"},
    "resource_pool": {"peer jvm.map.put"},
    "concurrent_starters": {"models java/java/util/concurrent/atomic/AtomicReference.java"},
    "service_plugins": {"java int.compareTo"},
    "plant_schedule": {"peer jvm.map.size"},
    "sluice_visitors": {"peer jvm.collection.isEmpty"},
    "bakery_wiring": {"peer java.ReflectedMembers.proxy"},
    "foundry_retries": {"java ExecutorService.shutdown"},
    "command_bus": {"java int.compareTo"},
    "weir_tenants": {"peer jvm.collection.iterator"},
    "weir_listeners": {"peer java.List.of"},
    "listed_providers": {"peer java.ServiceLoader.load"},
    "sluice_annotated": {"java GateHandler.getClass"},
    "weir_ons": {"java Properties.put"},
    "placeholder_properties": {"models java/java/util/regex/Pattern.java"},
    "kotlin-comparator_orders": {"kotlin ArrayList.reversed"},
    "p020646": {"java String.repeat", "java String.split"},
    "itertools_more": {"peer python._native.is_known"},
    "threads_pool": {"peer python.builtins.zip"},
    "p021422": {"java Stream.collect"},
    "p021600": {"peer python.builtins.zip"},
    "common_patterns": {"models java/java/util/Optional.java", "peer jvm.map.putIfAbsent"},
    "kotlin-conditional_lists": {
        "kotlin Feature.also",
        "kotlin List.all",
        "kotlin List.any",
        "kotlin List.find",
        "kotlin List.forEach",
        "kotlin Text.takeIf",
        "kotlin Unknown.also",
        "peer jvm.collection.forEach",
        "peer jvm.stream.filter",
    },
    "kotlin-constructor_references": {"java List.forEach", "kotlin List.forEach"},
    "kotlin-own_and_refused": {"kotlin Text.equals"},
    "kotlin-named_arguments": {"peer jvm.collection.size"},
    "kotlin-library_values": {"kotlin ArrayList.toList", "kotlin NoneType.listOf"},
    "kotlin-state_machine": {
        "kotlin Machine.apply",
        "models kotlin/kotlin/Preconditions.kt",
        "models kotlin/kotlin/Result.kt",
    },
    "loom_layers": {"models python/functools.py"},
    "signals_and_hooks": {"models python/functools.py"},
    "state_machine": {"models python/functools.py"},
    "larder_classes": {"models python/functools.py"},
    "ledger_projections": {"models python/functools.py"},
    "lofts_catalog": {"python dict.items"},
    "typed_repository": {"peer python.builtins.getattr"},
    "foundry_plugins": {"peer python.importlib.import_module"},
    "retry_pipeline": {"peer python.dataclasses.dataclass"},
    "signal_bus": {"models python/weakref.py"},
    "fishery_service": {"peer python.builtins.iter"},
    "async_run": {"python list.pop"},
    "turn_event": {"peer python.builtins.list"},
    "layered_client": {"peer python.contextlib.factory.__call__"},
    "mews_notifications": {"peer python.dataclasses.dataclass"},
    "loom_mixins": {"python list.append"},
    "dated_partitions": {"peer python.collections.namedtuple", "python OrderedDict.items"},
    "turn_ctx_gather": {"peer python.builtins.len"},
    "attrs_metaclass_registry": {"peer python.attr.s"},
    "kotlin-command_line_setup": {"models kotlin/kotlin/properties/Delegates.kt"},
    "kotlin-boot_states": {"models kotlin/kotlin/properties/Delegates.kt"},
    "kotlin-typed_settings": {"models kotlin/kotlin/properties/Delegates.kt"},
    "kotlin-piped_functions": {"java String.toUpperCase"},
    "kotlin-sequenced_shards": {"kotlin List.sortedWith"},
    "kotlin-cargo_events": {"kotlin DefaultMQPushConsumer.also"},
    "kotlin-closing_resources": {"kotlin NoneType.sortedMapOf"},
    "kotlin-rowan_tenants": {"models kotlin/kotlin/io/Closeable.kt"},
    "kotlin-fig_cursors": {"kotlin [].reversed"},
    "kotlin-sluice_tables": {"kotlin NoneType.mutableListOf"},
    "kotlin-press_windows": {"kotlin NoneType.mutableListOf"},
    "kotlin-service_objects": {
        "models kotlin/kotlin/Result.kt",
        "peer jvm.collection.iterator",
        "peer jvm.stream.map",
    },
    "kotlin-sealed_and_value_classes": {"kotlin [].asList"},
    "kotlin-validated_input": {"kotlin int.also"},
    "kotlin-bakery_events": {"peer jvm.map.put"},
    "kotlin-pear_plugins": {"peer jvm.map.put"},
    "kotlin-cached_factory": {
        "java ConcurrentHashMap.computeIfAbsent",
        "models java/java/util/Comparator.java",
    },
    "kotlin-entered_states": {"kotlin NoneType.listOf"},
    "kotlin-leased_resources": {"models kotlin/kotlin/io/Closeable.kt"},
    "kotlin-medlar_bus": {"peer jvm.map.get"},
    "kotlin-cherry_reducer": {"kotlin Text.to"},
    "kotlin-bakery_dsl": {"kotlin NoneType.listOf"},
    "kotlin-windows_of_events": {"kotlin Text.lineSequence", "kotlin TreeMap.getValue"},
    "kotlin-injected_services": {"kotlin NoneType.lazy"},
    "kotlin-bakery_delegates": {"kotlin Lazy.getValue"},
    "kotlin-ordered_pipeline": {"kotlin Text.to"},
    "cistern_lab": {"java String.isEmpty"},
    "lagoon_settings_change": {"models java/java/beans/PropertyChangeEvent.java"},
    "kotlin-saw_registry": {"kotlin Text.to"},
}
"""Programs, with the fewest pieces by which a random share that was gone once made a fault."""


@pytest.mark.parametrize("name", DRAWN)
def test_what_was_found_by_a_draw_stays_mended(name: str) -> None:
    assert not ablation.ablated(name, DRAWN[name]).faults


def test_what_is_taken_away_is_missed_and_is_back_afterwards() -> None:
    files = {
        "main.py": "import os\nfrom rocketmq.client import PushConsumer\n"
        'consumer = PushConsumer(os.path.join("a", "b"))\nconsumer.subscribe("T", print)\nconsumer.start()\n'
    }
    program = Program("p", 0, "python", "by hand", (), ("main.py",), ((),), False, files)
    (piece,) = (each for each in listed() if each.endswith("os.path.join"))
    before = rows(program.files)
    with without({piece}) as watch:
        ablated = rows(program.files)
    assert piece in watch.used
    assert [row["group"] for row in (*before, *ablated, *rows(program.files))] == [
        "a/b",
        None,
        "a/b",
    ]
