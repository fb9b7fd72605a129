import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** A Neo4j server on loopback for tests: FOLDER PORT AUTH(true|false). It ends when its standard input does. */
class Neo4jServer {
    public static void main(String[] arguments) throws Exception {
        var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", Integer.parseInt(arguments[1])))
                .setConfig(GraphDatabaseSettings.auth_enabled, Boolean.parseBoolean(arguments[2]))
                .build();
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        server.shutdown();
    }
}
