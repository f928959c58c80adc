# ruff: noqa: E501 - programs are data
"""Programs small to write and large to run, by language: (declarations, statements). Each must end within its bounds.

`T` wraps them: a consumer `c` that is made before and subscribed after with what the statements left in `s` and `n`.
"""

from __future__ import annotations

TEMPLATES = {
    "java": 'import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer; import java.util.*; import java.util.stream.*;\nclass Main { %s public static void main(String[] args) throws Exception {\nDefaultMQPushConsumer c = new DefaultMQPushConsumer("g"); String s = "x"; long n = 3; List<Object> l = new ArrayList<>(); l.add(s); Map<Object,Object> m = new HashMap<>();\n%s\nc.subscribe("T" + s + n, "a"); c.start(); } }',
    "kotlin": 'import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer\n%s\nfun main(args: Array<String>) { val c = DefaultMQPushConsumer("g"); var s = "x"; var n = 3L; var l = mutableListOf<Any>(); l.add(s)\n%s\nc.subscribe("T" + s + n, "a"); c.start() }',
    "python": "from rocketmq.client import PushConsumer\n%s\nc = PushConsumer('g'); s = 'x'; n = 3; l = [1]; d = {}\n%s\nc.subscribe('T' + str(s) + str(n), print, 'a')\nc.start()\n",
}

BOMBS: dict[str, tuple[str, str, str]] = {
    "java: calls without what they need": (
        "java",
        "",
        "s = String.format() + String.join() + l.get() + m.get();",
    ),
    "kotlin: calls without what they need": (
        "kotlin",
        "",
        "s = l.get().toString() + l.elementAt() + l.getOrNull()",
    ),
    "java: a product of itself": ("java", "", "for (int i=0;i<250;i++) n = n * n;"),
    "java: a shift by itself": ("java", "", "for (int i=0;i<250;i++) n = n << n;"),
    "java: a text doubled": ("java", "", "for (int i=0;i<250;i++) s = s + s;"),
    "java: a text tripled": ("java", "", "for (int i=0;i<250;i++) s += s + s;"),
    "java: a list added to itself": ("java", "", "for (int i=0;i<250;i++) l.addAll(l);"),
    "java: a list added to itself as a copy": (
        "java",
        "",
        "for (int i=0;i<250;i++) l.addAll(new ArrayList<>(l));",
    ),
    "java: arrays in arrays, printed": (
        "java",
        "",
        "for (int i=0;i<250;i++) l = Arrays.asList(l, l); s = l.toString();",
    ),
    "java: lists in lists, printed": (
        "java",
        "",
        "for (int i=0;i<250;i++) { List<Object> k = new ArrayList<>(); k.add(l); k.add(l); l = k; } s = l.toString(); ",
    ),
    "java: an array of arrays of arrays": ("java", "", "Object[][][] a = new Object[4000][4000][4000];"),
    "java: endless loops in one another": ("java", "", "for (;;) for (;;) for (;;) for (;;) ;"),
    "java: a condition that calls itself twice": (
        "java",
        "static boolean f(int i) { return f(i+1) && f(i+2); }",
        "boolean b = f(0);",
    ),
    "java: a text that calls itself twice": (
        "java",
        'static String f(String i) { return f(i+"a") + f(i+"b"); }',
        's = f("");',
    ),
    "java: Fibonacci": ("java", "static int f(int i) { return i < 2 ? 1 : f(i-1) + f(i-2); }", "n = f(35);"),
    "java: a format of a hundred megabytes": ("java", "", 's = String.format("%99999999d", 1);'),
    "java: a format of two gigabytes": ("java", "", 's = String.format("%2147483647s", s);'),
    "java: a builder replaced by itself": (
        "java",
        "",
        'StringBuilder b = new StringBuilder("x".repeat(60000)); for (int i=0;i<250;i++) b.replace(0, 1, b.toString()); s = b.toString();',
    ),
    "java: a number beyond all numbers": (
        "java",
        "",
        'double d = 1e308 * 10; s = "" + d + (int) d + (long) (d - d);',
    ),
    "java: long texts by the thousand": (
        "java",
        "",
        's = "x".repeat(60000).chars().mapToObj(c -> "y".repeat(60000)).collect(Collectors.joining());',
    ),
    "java: streams put after themselves": (
        "java",
        "",
        'Stream<Object> q = Stream.of(1, 2, 3); for (int i=0;i<60;i++) q = Stream.concat(q, q); s = "" + q.count();',
    ),
    "java: elements that are there under conditions": (
        "java",
        "",
        "".join(f'if (System.getenv("E{i}") != null) l.add("v{i}"); else l.clear();' for i in range(60))
        + 's = String.join(",", (List) l);',
    ),
    "java: a text repeated": ("java", "", "s = s.repeat(2000000000);"),
    "java: a text in place of each of its characters": (
        "java",
        "",
        's = s.repeat(60000); for (int i=0;i<250;i++) s = s.replace("x", s);',
    ),
    "java: texts joined by themselves": (
        "java",
        "",
        "s = String.join(s, l); for (int i=0;i<250;i++) { l.add(s); s = String.join(s, (List)l); }",
    ),
    "java: ranges in ranges": (
        "java",
        "",
        's = IntStream.range(0, 2000000000).mapToObj(i -> IntStream.range(0, 2000000000).mapToObj(j -> "" + j).collect(Collectors.joining())).collect(Collectors.joining());',
    ),
    "java: endless streams in one another": (
        "java",
        "",
        "Stream.iterate(1, i -> i).flatMap(i -> Stream.iterate(1, j -> j).flatMap(j -> Stream.iterate(1, k -> k))).forEach(x -> {});",
    ),
    "java: a pattern that backtracks": (
        "java",
        "",
        'if (s.matches("(x+x+)+y")) n = 1; s = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; s = s.replaceAll("(x+x+)+y", "");',
    ),
    "java: another pattern that backtracks": (
        "java",
        "",
        's = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; s = s.split("(a|a)*b")[0];',
    ),
    "java: a builder appended to itself": (
        "java",
        "",
        'StringBuilder b = new StringBuilder("x"); for (int i=0;i<250;i++) b.append(b).append(b.toString()); s = b.toString();',
    ),
    "java: a map in itself": (
        "java",
        "",
        "for (int i=0;i<250;i++) { m.put(i, m); m.putAll(m); } s = m.toString();",
    ),
    "java: a list in itself": (
        "java",
        "",
        "l.add(l); s = l.toString(); n = l.hashCode(); boolean q = l.equals(l); l.contains(l);",
    ),
    "java: conditions on a number nobody knows": (
        "java",
        "",
        "".join(f"if (args.length == {i}) s = s + {i};" for i in range(200)),
    ),
    "java: conditions on many variables": (
        "java",
        "",
        "".join(f'if (System.getenv("A{i}") != null) s = s + {i};' for i in range(200)),
    ),
    "java: conditions on one variable": (
        "java",
        "",
        "".join(f'if (System.getenv("A").equals("{i}")) s = s + {i};' for i in range(1500)),
    ),
    "java: ten thousand cases that fall through": (
        "java",
        "",
        "switch (args[0]) {" + "".join(f'case "{i}": s = s + {i};' for i in range(10_000)) + "}",
    ),
    "java: ten thousand cases": (
        "java",
        "",
        "switch (args[0]) {" + "".join(f'case "{i}": s = s + {i}; break;' for i in range(10_000)) + "}",
    ),
    "java: methods that call the next one twice": (
        "java",
        "".join(f"void m{i}() {{ m{i + 1}(); m{i + 1}(); }} " for i in range(300)) + "void m300() {}",
        "new Main().m0();",
    ),
    "java: loops over a list in one another": (
        "java",
        "",
        "for (int i=0;i<250;i++) l.add(i); for (Object a : l) for (Object b : l) for (Object d : l) for (Object e : l) for (Object f : l) {}",
    ),
    "java: callbacks for each element in one another": (
        "java",
        "",
        "for (int i=0;i<250;i++) l.add(i); l.forEach(a -> l.forEach(b -> l.forEach(d -> l.forEach(e -> {}))));",
    ),
    "java: streams of streams": (
        "java",
        "",
        "for (int i=0;i<250;i++) l.add(i); l.stream().flatMap(a -> l.stream()).flatMap(a -> l.stream()).flatMap(a -> l.stream()).collect(Collectors.toList());",
    ),
    "kotlin: a product of itself": ("kotlin", "", "repeat(250) { n = n * n }"),
    "kotlin: a text doubled": ("kotlin", "", "repeat(250) { s = s + s }"),
    "kotlin: a template of itself": ("kotlin", "", 'repeat(250) { s = "$s$s$s" }'),
    "kotlin: a list added to itself": ("kotlin", "", "repeat(250) { l.addAll(l) }"),
    "kotlin: a list and itself": ("kotlin", "", "repeat(250) { l = (l + l).toMutableList() }"),
    "kotlin: repeat in repeat": (
        "kotlin",
        "",
        "repeat(2000000000) { repeat(2000000000) { repeat(2000000000) { } } }",
    ),
    "kotlin: ranges in ranges": (
        "kotlin",
        "",
        "for (i in 0..2000000000) for (j in 0..2000000000) for (k in 0..2000000000) {}",
    ),
    "kotlin: endless loops in one another": ("kotlin", "", "while (true) while (true) while (true) {}"),
    "kotlin: a step of nothing": (
        "kotlin",
        "",
        "for (i in 0..10 step 0) s += i; for (i in 0..10 step -1) s += i",
    ),
    "kotlin: pieces of nothing": (
        "kotlin",
        "",
        's = s.chunked(0).toString() + s.take(-5) + s.replace("x", s.padEnd(60000))',
    ),
    "kotlin: a list without itself": (
        "kotlin",
        "",
        "var q = (1..60000).toList(); for (i in 1..250) q = q - q.toSet() + q + q; s = q.toString()",
    ),
    "kotlin: a text padded": ("kotlin", "", "s = s.padStart(2000000000)"),
    "kotlin: lists of lists of lists": (
        "kotlin",
        "",
        "val a = List(4000) { List(4000) { List(4000) { 1 } } }",
    ),
    "kotlin: maps of ranges": (
        "kotlin",
        "",
        "s = (0..2000000000).map { (0..2000000000).map { it } }.toString()",
    ),
    "kotlin: sequences in sequences": (
        "kotlin",
        "",
        "s = generateSequence(1) { it }.flatMap { generateSequence(1) { it } }.flatMap { generateSequence(1) { it } }.toString()",
    ),
    "kotlin: conditions on one argument": (
        "kotlin",
        "",
        "".join(f'if (args[0] == "{i}") s = s + {i}\n' for i in range(1500)),
    ),
    "kotlin: a list in itself": ("kotlin", "", "l.add(l); s = l.toString(); s = l.hashCode().toString()"),
    "kotlin: a tail call that doubles": (
        "kotlin",
        "tailrec fun f(a: String): String = f(a + a)",
        's = f("x")',
    ),
    "kotlin: a call of itself, twice": ("kotlin", "fun f(a: Int): Int = f(a + 1) + f(a + 2)", "n = f(1)"),
    "python: a product of itself": ("python", "", "for i in range(250): n = n * n"),
    "python: a power of itself": ("python", "", "for i in range(250): n = n ** n"),
    "python: a tower of powers": ("python", "", "n = 10 ** 10 ** 10"),
    "python: a shift": ("python", "", "n = 1 << 10 ** 10"),
    "python: a range beyond the machine's numbers": (
        "python",
        "",
        "n = len(range(10**30)); u = 5 in range(10**30); t = range(10**30)[10**29]",
    ),
    "python: elements that are there under conditions": (
        "python",
        "import os",
        "".join(f"if os.environ.get('E{i}'): l.append('v{i}')\n" for i in range(60)) + "s = l[5] + l[-3]",
    ),
    "python: a text doubled": ("python", "", "for i in range(250): s = s + s"),
    "python: a text repeated": ("python", "", "s = s * 10 ** 10"),
    "python: a list repeated": ("python", "", "l = l * 10 ** 10"),
    "python: a list and itself": ("python", "", "for i in range(250): l = l + l"),
    "python: a list added to itself": ("python", "", "for i in range(250): l += l"),
    "python: a list extended by itself": ("python", "", "for i in range(250): l.extend(l)"),
    "python: lists in lists, printed": ("python", "", "for i in range(250): l = [l, l]\ns = str(l)"),
    "python: tuples in tuples, printed": (
        "python",
        "",
        "for i in range(250): l = (l, l)\ns = repr(l)\nd[l] = 1",
    ),
    "python: tuples in tuples, looked up": (
        "python",
        "",
        "for i in range(250): l = (l, l)\nx = l in d\ny = d.get(l)\nz = len({l, 1}), l == d, sorted([l, l]), hash(l)",
    ),
    "python: a format": ("python", "", "s = '%99999999999d' % 1"),
    "python: a text padded": ("python", "", "s = 'x'.ljust(10**10)"),
    "python: texts joined": ("python", "", "s = 'x'.join(['x' * 60000] * 60000)"),
    "python: ranges in ranges": (
        "python",
        "",
        "for a in range(10**9):\n for b in range(10**9):\n  for e in range(10**9): pass",
    ),
    "python: endless loops in one another": (
        "python",
        "",
        "while s:\n while s:\n  while s:\n   while s: pass",
    ),
    "python: a comprehension of comprehensions": (
        "python",
        "",
        "l = [x for a in range(10**9) for b in range(10**9) for x in range(10**9)]",
    ),
    "python: lists added up": ("python", "", "l = sum([[x for x in range(500)] for y in range(500)], [])"),
    "python: a call of itself, twice": ("python", "def f(a): return f(a + 1) + f(a + 2)", "n = f(1)"),
    "python: a call that doubles": ("python", "def f(a): return f(a + a)", 's = f("x")'),
    "python: Fibonacci": ("python", "def f(n): return 1 if n < 2 else f(n-1) + f(n-2)", "n = f(35)"),
    "python: a pattern that backtracks": (
        "python",
        "import re",
        "s = re.sub('(x+x+)+y', '', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')",
    ),
    "python: a product of ranges": (
        "python",
        "import itertools",
        "l = list(itertools.product(range(500), repeat=6))",
    ),
    "python: permutations": ("python", "import itertools", "l = list(itertools.permutations(range(500)))"),
    "python: a list in itself": (
        "python",
        "",
        "l.append(l); s = str(l); d['d'] = d; s = str(d); x = l == l; y = hash(tuple(l))",
    ),
    "python: conditions on one argument": (
        "python",
        "import sys",
        "".join(f"if sys.argv[1] == '{i}': s = s + '{i}'\n" for i in range(1500)),
    ),
    "python: ten thousand branches": (
        "python",
        "import sys",
        "if sys.argv[1] == '': pass\n"
        + "".join(f"elif sys.argv[1] == '{i}': s = s + '{i}'\n" for i in range(10_000)),
    ),
    "python: generators in generators": (
        "python",
        "def g():\n  while True: yield 1\ndef h():\n  for x in g():\n    for y in g():\n      for z in g(): yield z",
        "l = list(h())",
    ),
    "python: methods that call themselves": (
        "python",
        "class A:\n  def __getattr__(self, n): return getattr(self, n + n)\n  def __eq__(self, o): return self == o\n  def __add__(self, o): return self + o\n  def __str__(self): return str(self)",
        "a = A(); s = str(a); n = a.b; x = a == a; y = a + a",
    ),
    "python: a decorator of itself": ("python", "def deco(f): return deco(f)", "@deco\ndef k(): pass\nk()"),
    "python: deep JSON": (
        "python",
        "import json",
        "s = json.dumps(l); s = json.loads('[' * 5000 + ']' * 5000)",
    ),
    "python: fewer elements than names around the rest": (
        "python",
        "",
        "def f(a): a, *b, e = a; return e\nfor i in range(3): s = f(l[:i])\nfor a, *b, e in [(1,)]: s = e",
    ),
    "python: numbers of thousands of digits": (
        "python",
        "import json",
        "s = json.loads('1' * 5000)\nn = int('1' * 5000)\nn = int('9' * 4000) * int('9'*4000)\ns = str(n)",
    ),
}


def source(name: str) -> bytes:
    """The program of a name."""
    language, members, body = BOMBS[name]
    return (TEMPLATES[language] % (members, body)).encode()
