package java.util;

public class IntSummaryStatistics {
    private long count = 0;
    private long sum = 0;
    private int least = Integer.MAX_VALUE;
    private int most = Integer.MIN_VALUE;

    public void accept(int value) {
        count = count + 1;
        sum = sum + value;
        least = Math.min(least, value);
        most = Math.max(most, value);
    }

    public void combine(IntSummaryStatistics other) {
        count = count + other.count;
        sum = sum + other.sum;
        least = Math.min(least, other.least);
        most = Math.max(most, other.most);
    }

    public long getCount() {
        return count;
    }

    public long getSum() {
        return sum;
    }

    public int getMin() {
        return least;
    }

    public int getMax() {
        return most;
    }

    public double getAverage() {
        return count == 0 ? 0.0 : (double) sum / count;
    }
}
