package java.util;

import java.util.stream.IntStream;

/** The numbers of the bits that are set, in order. */
public class BitSet {
    private TreeSet<Integer> bits = new TreeSet<>();

    public BitSet() {}

    public BitSet(int size) {}

    public boolean get(int bit) {
        if (bit < 0) throw new IndexOutOfBoundsException("bitIndex < 0: " + bit);
        return bits.contains(bit);
    }

    public BitSet get(int from, int to) {
        BitSet made = new BitSet();
        for (int bit = from; bit < to; bit++) made.set(bit - from, get(bit));
        return made;
    }

    public void set(int bit) {
        bits.add(bit);
    }

    public void set(int bit, boolean value) {
        if (value) bits.add(bit);
        else bits.remove((Object) bit);
    }

    public void set(int from, int to) {
        for (int bit = from; bit < to; bit++) bits.add(bit);
    }

    public void set(int from, int to, boolean value) {
        for (int bit = from; bit < to; bit++) set(bit, value);
    }

    public void clear() {
        bits.clear();
    }

    public void clear(int bit) {
        set(bit, false);
    }

    public void clear(int from, int to) {
        set(from, to, false);
    }

    public void flip(int bit) {
        set(bit, !get(bit));
    }

    public void flip(int from, int to) {
        for (int bit = from; bit < to; bit++) flip(bit);
    }

    public int nextSetBit(int from) {
        for (int bit : bits) {
            if (bit >= from) return bit;
        }
        return -1;
    }

    public int nextClearBit(int from) {
        int bit = from;
        while (bits.contains(bit)) bit++;
        return bit;
    }

    public int previousSetBit(int from) {
        int found = -1;
        for (int bit : bits) {
            if (bit <= from) found = bit;
        }
        return found;
    }

    public int cardinality() {
        return bits.size();
    }

    public int length() {
        return bits.isEmpty() ? 0 : bits.last() + 1;
    }

    public int size() {
        return Math.max(1, (length() + 63) / 64) * 64;
    }

    public boolean isEmpty() {
        return bits.isEmpty();
    }

    public boolean intersects(BitSet other) {
        for (int bit : bits) {
            if (other.get(bit)) return true;
        }
        return false;
    }

    public void and(BitSet other) {
        bits.retainAll(other.bits);
    }

    public void or(BitSet other) {
        bits.addAll(other.bits);
    }

    public void andNot(BitSet other) {
        bits.removeAll(other.bits);
    }

    public void xor(BitSet other) {
        for (int bit : new ArrayList<>(other.bits)) flip(bit);
    }

    public IntStream stream() {
        return bits.stream().mapToInt(bit -> bit);
    }

    public Object clone() {
        BitSet made = new BitSet();
        made.or(this);
        return made;
    }

    public boolean equals(Object other) {
        return other instanceof BitSet && bits.equals(((BitSet) other).bits);
    }

    public int hashCode() {
        long code = 1234L;
        for (int bit : bits) code ^= (1L << bit) * (bit / 64 + 1);
        return (int) (code >> 32 ^ code);
    }

    public String toString() {
        StringJoiner made = new StringJoiner(", ", "{", "}");
        for (int bit : bits) made.add(String.valueOf(bit));
        return made.toString();
    }
}
