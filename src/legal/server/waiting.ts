import type { Ctx } from '../../context.ts';
import type { Measurement } from '../../platform/metrics.ts';
import { dayText } from '../../library/rules.ts';
import { countWaitingReports, listReports } from './infringements.ts';
import { countRequests, listRequests } from './privacy-requests.ts';

/**
 * Writes to the log what waits for the operator: reports of infringement, and requests about personal data that are due
 * within three days. A request whose last day has passed is an error, because the privacy policy promises that day.
 */
export async function logWaiting(ctx: Ctx): Promise<void> {
  const { reports, total } = await listReports(ctx, { isEvery: false });
  const [oldest] = reports;
  if (oldest) {
    const facts = { reports: total, oldest: oldest.receiptNo, receivedOn: dayText(oldest.receivedAt) };
    ctx.log.warn(facts, 'reports of infringement wait: ceku takedown list');
  }
  const requests = await listRequests(ctx, 'due');
  const [first] = requests;
  if (!first) return;
  const facts = { requests: (await countRequests(ctx)).due, first: first.receiptNo, dueOn: first.dueOn };
  if ((first.workingDaysLeft ?? 0) < 0)
    ctx.log.error(facts, 'requests about personal data are overdue: ceku privacy list --due');
  else ctx.log.warn(facts, 'requests about personal data are due: ceku privacy list --due');
}

/** Measures what waits for the operator, for /metrics. */
export async function measureLegal(ctx: Ctx): Promise<Measurement[]> {
  const [reports, { open, due, overdue }] = await Promise.all([countWaitingReports(ctx), countRequests(ctx)]);
  return [
    {
      name: 'ceku_infringement_reports',
      help: 'Reports of infringement that wait for the operator: ceku takedown list.',
      values: [{ value: reports }],
    },
    {
      name: 'ceku_privacy_requests',
      help: 'Requests about personal data that wait for an answer, that are due within three days, and that are overdue: ceku privacy list.',
      values: [
        { labels: { state: 'waiting' }, value: open - due },
        { labels: { state: 'due' }, value: due - overdue },
        { labels: { state: 'overdue' }, value: overdue },
      ],
    },
  ];
}
