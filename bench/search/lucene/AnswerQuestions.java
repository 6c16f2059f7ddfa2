import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

/**
 * Opens the index in the folder of the first argument and the questions in the file of the second; the third is "whole" or "names". Prints
 * "ready <ms>", then reads one command a line and prints one line for each:
 *   warm <count>                 asks that many questions
 *   ask <numbers>                number, nanoseconds, total and best id of each, measured here
 *   storm <numbers>/<threads>/<ms>   how many questions all threads answered, and in how many ms
 *   change <question>!<document> nanoseconds until the changed document was the best of the question
 *   memory                       bytes of the heap in use after garbage was collected
 */
public final class AnswerQuestions {
  private static final List<Answers.Question> questions = new ArrayList<>();
  private static final Map<String, Filter> filters = Answers.keptFilters();
  private static boolean isWhole;
  private static Answers answers;

  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of(arguments[1]), StandardCharsets.UTF_8)) questions.add(Answers.Question.read(line));
    isWhole = arguments[2].equals("whole");
    MMapDirectory directory = new MMapDirectory(new File(arguments[0]));
    long started = System.nanoTime();
    DirectoryReader reader = DirectoryReader.open(directory);
    answers = new Answers(new IndexSearcher(reader), isWhole, filters);
    answers.answer(questions.get(0));
    System.out.println("ready " + (System.nanoTime() - started) / 1e6);
    Changes changes = null;
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      String rest = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("warm ")) {
        int count = Integer.parseInt(rest);
        for (int at = 0; at < count; at++) answers.answer(questions.get(at % questions.size()));
        System.out.println("warmed up");
      } else if (line.startsWith("ask ")) {
        System.out.println(ask(numbersOf(rest)));
      } else if (line.startsWith("storm ")) {
        String[] part = rest.split("/");
        System.out.println(storm(numbersOf(part[0]), Integer.parseInt(part[1]), Long.parseLong(part[2])));
      } else if (line.startsWith("change ")) {
        if (changes == null) changes = new Changes(directory);
        int border = rest.indexOf('!');
        System.out.println(changes.apply(Answers.Question.read(rest.substring(0, border)), rest.substring(border + 1)));
      } else if (line.equals("memory")) {
        System.gc();
        System.out.println(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
      } else throw new IllegalArgumentException(line);
    }
  }

  private static int[] numbersOf(String list) {
    return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static String ask(int[] numbers) throws IOException {
    // Waking up is not part of a question.
    answers.answer(questions.get(numbers[numbers.length - 1]));
    StringBuilder out = new StringBuilder();
    for (int number : numbers) {
      long started = System.nanoTime();
      Answers.Answer answer = answers.answer(questions.get(number));
      long took = System.nanoTime() - started;
      out.append(number).append(' ').append(took).append(' ').append(answer.total()).append(' ').append(answer.first()).append(';');
    }
    return out.toString();
  }

  private static String storm(int[] numbers, int threads, long forMs) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    long started = System.nanoTime();
    Thread[] all = new Thread[threads];
    for (int at = 0; at < threads; at++) {
      all[at] = new Thread(() -> {
        try {
          while (System.nanoTime() - started < forMs * 1_000_000) {
            answers.answer(questions.get(numbers[(next.getAndIncrement() & Integer.MAX_VALUE) % numbers.length]));
            answered.incrementAndGet();
          }
        } catch (IOException error) {
          throw new IllegalStateException(error);
        }
      });
      all[at].start();
    }
    for (Thread each : all) each.join();
    return answered.get() + " " + (System.nanoTime() - started) / 1e6;
  }

  /** Replaces documents in an index that is open, near real time: the reader is opened from the writer, without a commit. */
  private static final class Changes {
    private final IndexWriter writer;
    private final Documents documents = new Documents();
    private DirectoryReader reader;

    Changes(MMapDirectory directory) throws IOException {
      writer = new IndexWriter(directory, new IndexWriterConfig(Version.LUCENE_4_10_4, null));
      reader = DirectoryReader.open(writer, true);
    }

    long apply(Answers.Question mark, String line) throws IOException {
      String id = line.substring(0, line.indexOf('\t'));
      long started = System.nanoTime();
      writer.updateDocument(new Term("key", id), documents.read(line));
      for (boolean isFound = false; !isFound; ) {
        DirectoryReader changed = DirectoryReader.openIfChanged(reader, writer, true);
        if (changed != null) reader = changed;
        answers = new Answers(new IndexSearcher(reader), isWhole, filters);
        isFound = answers.answer(mark).first() == Long.parseLong(id);
      }
      return System.nanoTime() - started;
    }
  }
}
