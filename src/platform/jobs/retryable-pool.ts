import type pg from 'pg';
import { isDatabaseAway } from '../db/client.ts';

/** serialization_failure: what graphile-worker tries again within 5 s, a hundred times. */
const TRY_AGAIN = '40001';

/**
 * The pool as graphile-worker needs it: that says once that a job has ended, and does not hear whether it was understood. A
 * database that is away at that moment would end the process by an unhandled rejection, and leave the job locked by the
 * living. Here it looks like an error that graphile-worker tries again, until `isStopping`.
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
      // Only graphile-worker asks here, and in the form that answers with a promise.
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

/** The object with some of its methods replaced; the others find the object itself as their `this`. */
function over<T extends object>(target: T, replaced: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
