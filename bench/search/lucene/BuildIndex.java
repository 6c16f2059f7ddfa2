import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

/** Builds an index of one segment in the folder of the first argument from the documents on standard input, one a line. */
public final class BuildIndex {
  public static void main(String[] arguments) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(Version.LUCENE_4_10_4, null);
    config.setRAMBufferSizeMB(400);
    config.setMergePolicy(new LogDocMergePolicy());
    config.setUseCompoundFile(false);
    IndexWriter writer = new IndexWriter(new MMapDirectory(new File(arguments[0])), config);
    Documents documents = new Documents();
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 20)) {
      for (String line; (line = in.readLine()) != null; ) writer.addDocument(documents.read(line));
    }
    writer.forceMerge(1);
    writer.close();
  }
}
