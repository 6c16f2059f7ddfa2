import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/platform/http/listen.ts';

/** Answers every request with the same body, through the site's own HTTP server: the cost of HTTP without search. */
process.once('message', (body: string) => {
  const handler = async (request: Request) => {
    await request.text();
    return new Response(body, { headers: { 'content-type': 'application/json; charset=UTF-8' } });
  };
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' });
  listen({ config, handler, middleware: null }).then(
    ({ port }) => process.send?.(port),
    (error: unknown) => {
      createLog('error').error({ error }, 'the constant is not served');
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
