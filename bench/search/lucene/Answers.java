import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.AtomicReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.BooleanFilter;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CachingWrapperFilter;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.FilteredQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.NumericRangeFilter;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryWrapperFilter;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;

/** Answers questions as the site does: the names with all words, and when these fill no page, the decks with any word anywhere. */
final class Answers {
  /** `words`: the words of a query, the forms of each, their lexemes; a prefix ends with an asterisk. */
  record Question(int number, String[] types, String theme, long since, List<List<List<String>>> words) {
    /** Reads the fields number, file types, theme, creation time and words, separated by tabs. */
    static Question read(String line) {
      String[] part = line.split("\t", -1);
      List<List<List<String>>> words = new ArrayList<>();
      for (String word : part[4].split(";")) {
        List<List<String>> forms = new ArrayList<>();
        for (String form : word.split(",")) forms.add(List.of(form.split(" ")));
        words.add(forms);
      }
      String[] types = part[1].isEmpty() ? new String[0] : part[1].split(",");
      return new Question(Integer.parseInt(part[0]), types, part[2], part[3].isEmpty() ? 0 : Long.parseLong(part[3]), words);
    }
  }

  /** `first`: the id of the best document, 0 for none. */
  record Answer(int total, long first) {}

  private static final int TOP = 15;
  private static final int MAX_DECKS = 300;
  /** How much more a word in a name counts than a word on a page. */
  private static final float NAME_BOOST = 3;

  private final IndexSearcher searcher;
  private final boolean isWhole;
  /** Filters are kept as bit sets, as Solr and Elasticsearch keep them. */
  private final Map<String, Filter> filters;
  private final ThreadLocal<NumericDocValues> ids;

  Answers(IndexSearcher searcher, boolean isWhole, Map<String, Filter> filters) {
    this.searcher = searcher;
    this.isWhole = isWhole;
    this.filters = filters;
    this.ids = ThreadLocal.withInitial(this::openIds);
  }

  static Map<String, Filter> keptFilters() {
    return new ConcurrentHashMap<>();
  }

  Answer answer(Question question) throws IOException {
    Filter filter = filterOf(question);
    Query named = combine(question, BooleanClause.Occur.MUST, false);
    TopDocs names = searcher.search(filter == null ? named : new FilteredQuery(named, filter), TOP);
    if (!isWhole || names.totalHits >= TOP) return new Answer(names.totalHits, names.totalHits > 0 ? idOf(names.scoreDocs[0]) : 0);
    Set<Long> found = new LinkedHashSet<>();
    for (ScoreDoc hit : names.scoreDocs) found.add(idOf(hit));
    for (ScoreDoc hit : searcher.search(combine(question, BooleanClause.Occur.SHOULD, true), MAX_DECKS).scoreDocs) found.add(idOf(hit));
    return new Answer(found.size(), found.isEmpty() ? 0 : found.iterator().next());
  }

  private long idOf(ScoreDoc hit) {
    return ids.get().get(hit.doc);
  }

  private NumericDocValues openIds() {
    try {
      List<AtomicReaderContext> leaves = searcher.getIndexReader().leaves();
      return leaves.size() == 1 ? leaves.get(0).reader().getNumericDocValues("id") : MultiDocValues.getNumericValues(searcher.getIndexReader(), "id");
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private static Query combine(Question question, BooleanClause.Occur occur, boolean withPages) {
    BooleanQuery all = new BooleanQuery(true);
    for (List<List<String>> word : question.words) {
      if (!withPages) {
        all.add(wordIn("names", word), occur);
        continue;
      }
      DisjunctionMaxQuery anywhere = new DisjunctionMaxQuery(0);
      Query name = wordIn("names", word);
      name.setBoost(NAME_BOOST);
      anywhere.add(name);
      anywhere.add(wordIn("pages", word));
      all.add(anywhere, occur);
    }
    return all;
  }

  private static Query wordIn(String field, List<List<String>> forms) {
    if (forms.size() == 1) return formIn(field, forms.get(0));
    BooleanQuery any = new BooleanQuery(true);
    for (List<String> form : forms) any.add(formIn(field, form), BooleanClause.Occur.SHOULD);
    return any;
  }

  private static Query formIn(String field, List<String> lexemes) {
    if (lexemes.size() == 1) return lexemeIn(field, lexemes.get(0));
    BooleanQuery all = new BooleanQuery(true);
    for (String lexeme : lexemes) all.add(lexemeIn(field, lexeme), BooleanClause.Occur.MUST);
    return all;
  }

  private static Query lexemeIn(String field, String lexeme) {
    if (!lexeme.endsWith("*")) return new TermQuery(new Term(field, lexeme));
    return new PrefixQuery(new Term(field, lexeme.substring(0, lexeme.length() - 1)));
  }

  private Filter filterOf(Question question) {
    if (question.types.length == 0 && question.theme.isEmpty() && question.since == 0) return null;
    String key = String.join(",", question.types) + "/" + question.theme + "/" + question.since;
    return filters.computeIfAbsent(key, (each) -> {
      BooleanFilter all = new BooleanFilter();
      if (question.types.length > 0) {
        BooleanQuery types = new BooleanQuery(true);
        for (String type : question.types) types.add(new TermQuery(new Term("type", type)), BooleanClause.Occur.SHOULD);
        all.add(new QueryWrapperFilter(types), BooleanClause.Occur.MUST);
      }
      if (!question.theme.isEmpty()) all.add(new QueryWrapperFilter(new TermQuery(new Term("theme", question.theme))), BooleanClause.Occur.MUST);
      if (question.since != 0) all.add(NumericRangeFilter.newLongRange("created", question.since, null, true, true), BooleanClause.Occur.MUST);
      return new CachingWrapperFilter(all);
    });
  }
}
