// Prints its constants: kind, then UTF-16 units. Output of OpenJDK 17: Literals.txt
public class Literals {
  static Object[] all = {
    0xFFFFFFFF, 0x7fff_ffff, 0x80000000L, 0xFFFFFFFFFFFFFFFFL, 0b1111_0000, 0b10000000000000000000000000000000, 017, 037777777777, 0, 0L, 1_000,
    "a\0b", "\477", "\12", "\1234", "\u0041\uuu0042", "\\u0041", "\u005c\u005c", "\t\b\f\r\n\s|", "\u005cn", "\ud83d\ude00", "\"\'",
    """
      a
        b  
      c\
      d\n
      """, """
    x""", """
	tab
	  two
	""", """
      "quoted" \""" \t end   \s
   less
      """, """
      trailing   
      \040 octal
      """, """

      blank first

      """,
    '\u0041', '\'', '\\', '\377',
  };
  static double[] d = { 1e3, .5, 0x1.8p1, 1d, 2f };
  public static void main(String[] x) { for (Object o : all) { StringBuilder b = new StringBuilder(o.getClass().getSimpleName() + " "); String s = String.valueOf(o); for (char c : s.toCharArray()) b.append(String.format("%04x", (int) c)); System.out.println(b); } for (double v : d) System.out.println(v); }
}
