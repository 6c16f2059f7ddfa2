import type pg from 'pg';
import { isDatabaseAway } from '../db/client.ts';

/** serialization_failure: graphile-worker retries this error within 5 s, up to a hundred times. */
const TRY_AGAIN = '40001';

/**
 * Wraps the pool for graphile-worker, which reports the end of a job once and ignores a failure of that report: a
 * database that is away at that moment would end the process with an unhandled rejection and leave the job locked by a
 * living worker. Here the failure looks like an error that graphile-worker retries, until `isStopping`.
 */
export function retryablePool(pool: pg.Pool, isStopping: () => boolean): pg.Pool {
  const patient = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isStopping() || !isDatabaseAway(error)) throw error;
      throw Object.assign(new Error('the database is away', { cause: error }), { code: TRY_AGAIN });
    }
  };
  const patientClient = (client: pg.PoolClient) =>
    over(client, {
      // Only graphile-worker calls this method, in the form that returns a promise.
      query: (...args: Parameters<pg.PoolClient['query']>) => patient(Promise.resolve(client.query(...args))),
    });
  type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>;
  return over(pool, {
    connect(callback?: (...connected: Connected) => void) {
      if (!callback) return patient(pool.connect()).then(patientClient);
      return pool.connect((error, client, release) => callback(error, client && patientClient(client), release));
    },
  });
}

/** Returns the object with some methods replaced; the other methods get the original object as `this`. */
function over<T extends object>(target: T, replaced: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
