"""The help of the command line in Chinese, by its English text; a test holds it complete."""

from __future__ import annotations

import re
from typing import Final

HELP: Final[dict[str, str]] = {
    # commands
    "Find RocketMQ consumer groups whose members disagree, and say which messages would be lost.": "找出成员订阅"
    "不一致的 RocketMQ 消费者组，并说明会丢失哪些消息。",
    "Compare the consumers of each group and report where they disagree.\n\nExit codes: 0 nothing at or above the"
    " threshold, 1 something, 2 the job could not be done.": "比较每个消费者组的消费者，报告不一致之处。\n\n退出码：0 没有达到"
    "阈值的问题，1 有，2 无法完成检查。",
    "Report consumer groups whose members disagree.": "报告成员订阅不一致的消费者组。",
    "List every subscription that was found, with what is not known about it and why.": "列出找到的每个订阅，以及哪些取值"
    "未知、为什么未知。",
    "List every subscription found.": "列出找到的每个订阅。",
    "Show who sends what to whom, topic by topic.": "按 Topic 列出谁向谁发送什么。",
    "Join what is sent and what is read by topic: senders, tags, groups, and what nobody sends or reads.": "按 Topic 把发送与订阅"
    "对应起来：发送者、Tag、消费者组，以及无人发送或无人读取的内容。",
    "For people, one JSON object, a diagram, or AsyncAPI documents.": "供人阅读的文本、一个 JSON 对象、图，或 AsyncAPI 文档。",
    "List what is sent, in place of what is subscribed.": "列出发送，而不是订阅。",
    "Only the topic of this name.": "只看此名称的 Topic。",
    "List the blind spots, most frequent reason first, each with what would answer it.": "列出盲点，最常见的原因在前，并说明"
    "如何给出答案。",
    "List what is not known, and what would answer it.": "列出未知的内容，以及如何给出答案。",
    "Say which messages each member gets, loses or never sees, for every possible winner, and why.": "对每个可能的胜者，说明"
    "每个成员收到、丢失或永远看不到哪些消息，以及原因。",
    "Say what becomes of the messages of a what-if scenario.": "推演一个假设场景中消息的去向。",
    "Say step by step how a group comes to other tags, to groups of their own or to the same topics, and what that costs.": (
        "逐步说明如何更换消费者组的 Tag、为成员拆分消费者组，或让所有成员订阅相同的 Topic，以及代价。"
    ),
    "Say in which order to change a group without loss.": "说明按什么顺序更改消费者组才不丢失消息。",
    "Read what --given says of this group alone, as in a broker's log.": "只读取 --given 中该消费者组的内容，例如 Broker 日志。",
    "Let every member subscribe to every topic of the group.": "让所有成员订阅该组的所有 Topic。",
    "Give this member, or these, a group of its own; may be repeated.": "为该成员单独使用一个消费者组；可重复给出。",
    "For people, for a change ticket, or one JSON object.": "供人阅读、供变更单使用，或输出一个 JSON 对象。",
    "Check an organisation on Apache Spark: the findings of check --org, and tables to query.\n\nNeeds the extra `spark`"
    " and Java 17. Exit codes as for check.": "在 Apache Spark 上检查整个组织：问题与 check --org 相同，并写出可查询的表。\n\n"
    "需要可选依赖 `spark` 和 Java 17。退出码与 check 相同。",
    "Run check on Apache Spark, and write tables.": "在 Apache Spark 上运行 check，并写出表。",
    "Explain a rule: what, why in terms of the broker, bad and good, how to suppress.": "解释一条规则：含义、Broker 的机制、"
    "错误与正确的写法、如何忽略。",
    "Explain a rule.": "解释一条规则。",
    "Delete the cache.": "删除缓存。",
    "Write every subscription into a file: group, topic, filter, model, deployable, environments.\n\nWith code owners on"
    " that file each change of a subscription is seen by the team that owns the group.": "把每个订阅写入一个文件：消费者组、Topic、"
    "过滤条件、消费模式、应用、环境。\n\n为该文件指定负责人后，拥有该消费者组的团队能看到订阅的每次变化。",
    "Keep every subscription in a file that shows each change in review.": "把每个订阅保存在文件中，评审时可见每次变化。",
    "Save current findings in a file (check --baseline FILE), so that only new ones count.": "把现有的问题保存到文件"
    "（check --baseline FILE），以后只计新增的。",
    "Save current findings in a file, so that only new ones count.": "把现有的问题保存到文件，以后只计新增的。",
    "Write the current findings into the baseline, replacing what it held.": "把现有的问题写入基线文件，替换原有内容。",
    "Write the current findings.": "写入现有的问题。",
    "Remove the entries that no longer occur. Nothing is added.": "删除不再出现的条目，不增加任何条目。",
    "Remove the entries that no longer occur.": "删除不再出现的条目。",
    "Name the entries that no longer occur; exit with 1 where there are any.": "列出不再出现的条目；如果有，以 1 退出。",
    "Name the entries that no longer occur.": "列出不再出现的条目。",
    "Show what is configured, and where it comes from.": "显示配置内容及其来源。",
    "Print every setting that holds for a run, with the file and line it comes from.": "输出对一次运行有效的每项设置，以及它来自"
    "哪个文件的哪一行。",
    "Print every setting with where it comes from.": "输出每项设置及其来源。",
    "Say whether the configuration can be used; a mistake is told with file and line, and exits with 2.": "检查配置是否可用；"
    "有错误时指出文件和行，并以 2 退出。",
    "Say whether the configuration can be used.": "检查配置是否可用。",
    # options
    "Show this message and exit.": "显示本帮助并退出。",
    "Print the version and exit.": "输出版本并退出。",
    "Install completion for the current shell.": "为当前 shell 安装命令补全。",
    "Show completion for the current shell, to copy it or customize the installation.": "显示当前 shell 的命令补全脚本，可复制或"
    "自行安装。",
    "Files or folders (default: .); their whole repository is read.": "文件或目录；会读取它们所在的整个仓库。默认：.",
    "Every subfolder of DIR is a repository; compare them all.": "把 DIR 的每个子目录视为一个仓库，并跨仓库比较。",
    "The report: text, concise, json, sarif, github, gitlab, junit, rdjson, markdown, html.": "报告格式：text（默认）、concise、json、sarif、github、gitlab、junit、rdjson、markdown、html。",
    "A further report into a file. Repeatable.": "另存一份报告到文件。可重复。",
    "Exit with 1 from here on: error (default), warning, note, never.": "达到此级别时以 1 退出：error（默认）、warning、note、never。",
    "Exit with 0 whatever is found.": "无论发现什么都以 0 退出。",
    "Count what could not be analysed as findings.": "把无法分析之处也计为问题。",
    "Report suppressed findings too; they never fail a run.": "也报告已忽略的问题；它们不会使运行失败。",
    "A configuration file, or one setting. Repeatable.": "另一个配置文件，或一项设置。可重复。",
    "Read no configuration file.": "不读取任何配置文件。",
    "Read every file again and keep nothing.": "重新读取每个文件，不保留缓存。",
    "Where facts are kept between runs.": "两次运行之间缓存存放的位置。",
    "Read files git does not know yet. Default: yes, but no in a pre-commit hook.": "读取 git 尚未跟踪的文件。默认：是，但在"
    " pre-commit 钩子中为否。",
    "Processes at most; 0: one a processor.": "进程数上限；0：每个处理器一个。",
    "Colour the output.": "为输出着色。",
    "en or zh. Default: $SUBDRIFT_LANG, the configuration, en.": "en 或 zh。默认：$SUBDRIFT_LANG、配置、en。",
    "Show the code of every place, not one of each side.": "显示每一处的代码，而不是每一方一处。",
    "Show findings of sample and test code beside others too.": "与其他问题一起显示示例与测试代码中的问题。",
    "Say why, and where values come from.": "说明原因、比较范围以及取值的来源。",
    "Make the changes that change no meaning; report the rest.": "做出不会改变含义的修改，其余的照常报告。",
    "With --fix or --diff: also the changes by which other messages arrive.": "与 --fix 或 --diff 一起使用：也做会改变所收消息的修改。",
    "Show what --fix would change, and change nothing.": "显示 --fix 会修改什么，但不修改。",
    "Check again whenever a file has changed, until Ctrl-C.": "文件有变化时重新检查，直到按下 Ctrl-C。",
    "Print the time of each stage on stderr.": "在 stderr 上输出各阶段的用时。",
    "Report only what is new since this commit; what was there is counted.": "只报告自该提交以来新增的；原有的只计数。",
    "Only what is new since HEAD left this branch.": "只报告 HEAD 离开该分支以来新增的。",
    "Check what is staged, not the work tree.": "检查暂存的内容，而不是工作区。",
    "Only what this file does not hold (baseline write).": "只报告该文件中没有的（subdrift baseline write）。",
    "Mark what is new beside an earlier JSON report or baseline, and say what is gone; nothing is left out.": "与以前的 JSON 报告"
    "或基线比较，标出新增的，说明消失的；不省略任何内容。",
    "This rule or diagnostic only. Repeatable.": "只报告该规则或诊断。可重复。",
    "Do not report this one. Repeatable.": "不报告该规则或诊断。可重复。",
    "Exit with 1 where fewer consumers are found.": "找到的消费者更少时以 1 退出。",
    "Exit with 1 where more values are not known; base: than at --new-from.": "未知的取值更多时以 1 退出；base：比 --new-from 处更多。",
    "Print findings only: no counts, no remarks.": "只输出问题：没有计数，没有说明。",
    "Read the content of FILE from stdin, and report what touches it.": "从 stdin 读取 FILE 的内容，并报告与它有关的问题。",
    "A table, or one JSON object a line.": "表格，或每行一个 JSON 对象。",
    "For people, or one JSON object.": "供人阅读，或一个 JSON 对象。",
    "A scenario in TOML or JSON; - for stdin.": "TOML 或 JSON 的场景文件；- 表示 stdin。",
    "A scenario that ships with subdrift.": "subdrift 自带的场景。",
    "Observed state: mqadmin consumerConnection, consumerProgress, consumerStatus; heartbeats, logs; - for stdin.": "观测到的内容："
    "mqadmin consumerConnection、consumerProgress 或 consumerStatus 的输出、心跳、日志行；- 表示 stdin。",
    "Run the event model N times and give frequencies.": "运行事件模型 N 次并给出频率。",
    "The consumer group.": "消费者组。",
    "The topic whose tags change.": "要更改 Tag 的 Topic。",
    'What every member shall ask for, "A || B". Default with --from: what the code says.': '每个成员最终的订阅，如 "A || B"。'
    "与 --from 一起使用时默认为代码中的订阅。",
    "Take what is deployed from this revision.": "已部署的内容取自该提交。",
    "Take the members from a scenario, not from code.": "成员取自场景文件，而不是代码。",
    "Show the results of check in an editor (Language Server Protocol).": "在编辑器中显示 check 的结果（LSP）。",
    "Answer an editor on stdin and stdout: problems as files change, values and their origin, members of groups, fixes."
    "\n\nNeeds the extra `server`. An editor starts it; no source file is written.": "通过 stdin 和 stdout 为编辑器服务：随文件变化的"
    "问题、取值及其来源、消费者组的成员、修复。\n\n需要可选组件 `server`。由编辑器启动；不写入任何源文件。",
    "Where the tables go, as Parquet.": "表的输出位置，格式为 Parquet。",
    "Repositories as JSON lines {repo, path, head?}.": "仓库清单，每行一个 JSON 对象 {repo, path, head?}。",
    "Spark's master. Default: this machine.": "Spark 的 master。默认：本机。",
    "Replace what DIR holds.": "替换 DIR 中的内容。",
    "A rule or diagnostic; none: all names.": "规则或诊断；不给出时列出全部名称。",
    "Write nothing; say in words what has changed, and exit with 1.": "不写入；用文字说明有何变化，并以 1 退出。",
    "Default: subscriptions.lock in the repository.": "默认：仓库中的 subscriptions.lock。",
    "Only what is switched off, never started or under a condition, with the reason.": "只列出已停用、从未启动或有条件运行的，并给出原因。",
    "Count the findings of each rule, in place of the report.": "统计每条规则的问题数，代替报告。",
    "Print the JSON schema of a configuration.": "输出配置的 JSON Schema。",
    "Print the JSON schema of a configuration, by which editors complete and check .subdrift.toml.": "输出配置的 JSON Schema，"
    "编辑器据此补全并检查 .subdrift.toml。",
    "Keep what could not be analysed too, as check --strict counts it.": "也保存无法分析之处，与 check --strict 的计数一致。",
    "Mark what is new beside the tables of an earlier scan; what is at the same commit is not read again.": "与以前一次 scan "
    "的表比较，标出新增的；提交未变的仓库不再读取。",
    "Write it although a file or repository could not be read.": "即使有文件或仓库无法读取也照样写入。",
    "Compare with the repositories in a registry.": "与该登记册（--registry-out）中的其他仓库比较。",
    "Write what was found into a registry, for check --against in each repository.": "把结果写入登记册，供各仓库的 check --against"
    " 使用。",
    "Warn where the registry is older: 12h, 7d, 2w.": "登记册早于此时长时给出警告：12h、7d、2w。",
}

_MISTAKES: Final = (
    (r"No such option: ([^ ]+)", r"没有选项 \1"),
    (r" \(Possible options: (.*)\)", r"（相近的选项：\1）"),
    (r"No such command '(.*?)'\.", r"没有命令 `\1`。"),
    (r"Did you mean (one of: )?(.*?)\?", r"是否想写 \2？"),
    (r"Invalid value for (.*?): ", r"\1 的值无效："),
    (r"'([^']*)' is not one of (.*?)\.", r"`\1` 不是 \2 之一。"),
    (r"Input should be a valid integer, unable to parse string as an integer", "必须是整数"),
    (r"'([^']*)' is not a valid integer\.", r"`\1` 不是整数。"),
    (r"Input should be greater than or equal to (\S+)", r"必须不小于 \1"),
    (r"Input should be less than or equal to (\S+)", r"必须不大于 \1"),
    (r"Missing argument '(.*?)'\.", r"缺少参数 \1。"),
    (r"Missing option '(.*?)'\.", r"缺少选项 \1。"),
    (r"Missing command\.", "缺少命令。"),
    (r"Option '(.*?)' requires an argument\.", r"选项 \1 需要一个值。"),
    (r"Option '(.*?)' does not take a value\.", r"选项 \1 不带值。"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"多余的参数（\1）"),
)
"""What the library that parses command lines says of mistakes, and the same in Chinese."""


def mistake(text: str) -> str:
    """A mistake in the command line; what is not known stays as it is."""
    for english, chinese in _MISTAKES:
        text = re.sub(english, chinese, text)
    return re.sub(r"(?<=[。：？）]) ", "", text)
