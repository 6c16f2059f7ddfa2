import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.FieldInfo;

/**
 * A line of text to a Lucene document: id, file type, themes, creation time, then lexemes of name, keywords and labels, and those of the
 * pages by spread, all separated by tabs. A lexeme counts 4 in the name, 2 in keywords, 1 in labels, and on the pages 1 more than its spread.
 */
final class Documents {
  /** Each lexeme as often as it counts. */
  static final class Lexemes extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private Iterator<Map.Entry<String, Integer>> entries;
    private String text;
    private int left;

    void put(String lexemes, int count) {
      for (int from = 0; from < lexemes.length(); ) {
        int to = lexemes.indexOf(' ', from);
        if (to < 0) to = lexemes.length();
        counts.merge(lexemes.substring(from, to), count, (a, b) -> a | b);
        from = to + 1;
      }
    }

    void clear() {
      counts.clear();
    }

    @Override
    public void reset() {
      entries = counts.entrySet().iterator();
      left = 0;
    }

    @Override
    public boolean incrementToken() {
      if (left == 0) {
        if (!entries.hasNext()) return false;
        Map.Entry<String, Integer> entry = entries.next();
        text = entry.getKey();
        left = entry.getValue();
      }
      clearAttributes();
      term.append(text);
      left--;
      return true;
    }
  }

  private static final FieldType LEXEMES = new FieldType();

  static {
    LEXEMES.setIndexed(true);
    LEXEMES.setTokenized(true);
    LEXEMES.setIndexOptions(FieldInfo.IndexOptions.DOCS_AND_FREQS);
    LEXEMES.freeze();
  }

  private final Lexemes names = new Lexemes();
  private final Lexemes pages = new Lexemes();

  /** The document is to be added before the next line is read: the lexemes are shared. */
  Document read(String line) {
    String[] part = line.split("\t", -1);
    names.clear();
    names.put(part[4], 4);
    names.put(part[5], 2);
    names.put(part[6], 1);
    pages.clear();
    for (int spread = 0; spread + 7 < part.length; spread++) pages.put(part[spread + 7], spread + 1);
    Document document = new Document();
    document.add(new StringField("key", part[0], Field.Store.NO));
    document.add(new NumericDocValuesField("id", Long.parseLong(part[0])));
    document.add(new StringField("type", part[1], Field.Store.NO));
    for (String theme : part[2].split(",")) document.add(new StringField("theme", theme, Field.Store.NO));
    document.add(new LongField("created", Long.parseLong(part[3]), Field.Store.NO));
    document.add(new Field("names", names, LEXEMES));
    document.add(new Field("pages", pages, LEXEMES));
    return document;
  }
}
