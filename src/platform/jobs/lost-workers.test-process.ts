// Holds a lease with one worker and a job locked in its name, until it is killed: node lost-workers.test-process.ts <url> <worker>
import pg from 'pg';
import { openWorkerLease } from './lost-workers.ts';

const [url = '', worker = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 2 });
const lease = await openWorkerLease(url, pool);
await lease.register(worker);
await pool.query(`select graphile_worker.add_job('some-work')`);
await pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = $1 where locked_by is null`, [
  worker,
]);
process.stdout.write('holding\n');
