import type { Ctx } from '../../context.ts';
import type { Measurement } from '../../platform/metrics.ts';
import { dayText } from '../../library/rules.ts';
import { listReports } from './infringements.ts';
import { listRequests } from './privacy-requests.ts';

/**
 * Writes to the log what waits for the operator: reports of infringement, and requests about personal data that are due
 * within three days. A request whose last day has passed is an error, because the privacy policy promises that day.
 */
export async function logWaiting(ctx: Ctx): Promise<void> {
  const reports = await listReports(ctx, { isEvery: false });
  const [oldest] = reports;
  if (oldest) {
    const facts = { reports: reports.length, oldest: oldest.receiptNo, receivedOn: dayText(oldest.receivedAt) };
    ctx.log.warn(facts, 'reports of infringement wait: ceku takedown list');
  }
  const requests = await listRequests(ctx, 'due');
  const [first] = requests;
  if (!first) return;
  const facts = { requests: requests.length, first: first.receiptNo, dueOn: first.dueOn };
  if ((first.workingDaysLeft ?? 0) < 0)
    ctx.log.error(facts, 'requests about personal data are overdue: ceku privacy list --due');
  else ctx.log.warn(facts, 'requests about personal data are due: ceku privacy list --due');
}

/** Measures what waits for the operator, for /metrics. */
export async function measureLegal(ctx: Ctx): Promise<Measurement[]> {
  const [reports, requests] = await Promise.all([listReports(ctx, { isEvery: false }), listRequests(ctx, 'due')]);
  const overdue = requests.filter(({ workingDaysLeft }) => (workingDaysLeft ?? 0) < 0).length;
  return [
    {
      name: 'ceku_infringement_reports',
      help: 'Reports of infringement that wait for the operator: ceku takedown list.',
      values: [{ value: reports.length }],
    },
    {
      name: 'ceku_privacy_requests',
      help: 'Requests about personal data that are due within three days or overdue: ceku privacy list --due.',
      values: [
        { labels: { state: 'due' }, value: requests.length - overdue },
        { labels: { state: 'overdue' }, value: overdue },
      ],
    },
  ];
}
