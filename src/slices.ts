import type { Command } from 'commander';
import { completeDemoJob, indexFillJob, resumeDemo } from '../demo/jobs.ts';
import { ACCOUNTS_CRON, accountsJobs } from './accounts/server/jobs.ts';
import { measureAccounts } from './accounts/server/quotas.ts';
import type { PersonalData } from './accounts/server/personal-data.ts';
import { accountsPersonalData } from './accounts/server/privacy/accounts-personal-data.ts';
import type { Ctx, Open, Routes } from './context.ts';
import { groupsPersonalData } from './groups/server/groups.ts';
import { groupJobs, GROUPS_CRON } from './groups/server/uploads/jobs.ts';
import { INGEST_CRON, ingestJobs } from './ingest/server/steps/jobs.ts';
import { measureIngest } from './ingest/server/steps/measure-ingest.ts';
import { resumeIngest } from './ingest/server/steps/retry-files.ts';
import { LEGAL_CRON, legalJobs } from './legal/server/jobs.ts';
import { legalPersonalData } from './legal/server/privacy-requests.ts';
import { logWaiting, measureLegal } from './legal/server/waiting.ts';
import { measureLibrary } from './library/server/catalogue.ts';
import { LIBRARY_CRON, libraryJobs } from './library/server/jobs.ts';
import { resumePlanFacts } from './library/server/plan-facts.ts';
import { membershipPersonalData } from './membership/server/personal-data.ts';
import { PAYMENT_CRON, paymentJobs } from './payment/server/jobs.ts';
import { measurePayment } from './payment/server/operator/report.ts';
import { paymentPersonalData } from './payment/server/personal-data.ts';
import { invitesPersonalData } from './invites/server/invites.ts';
import { inviteJobs } from './invites/server/jobs.ts';
import type { Job } from './platform/jobs/jobs.ts';
import type { Measurement } from './platform/metrics.ts';
import { RANKING_CRON, rankingJobs } from './ranking/server/jobs.ts';
import { measureSearch, resumeSearch, searchJobs } from './search/server/jobs.ts';
import { shelfPersonalData } from './shelf/server/personal-data.ts';

/** Adds commands to `ceku`. `open` opens the app for the time of one command. */
type AddCommands = (program: Command, open: Open) => void;

/** The parts of one slice that the site, its workers and the command line put together. */
type Slice = {
  name: string;
  /** Loads the function that registers the API endpoints of the slice. The command line never loads them. */
  loadRoutes?: () => Promise<(routes: Routes) => void>;
  jobs?: Job<Ctx>[];
  /** Lines of a crontab, in UTC, that name jobs of the slice. */
  cron?: string;
  /** True when a command with workers (`ceku ingest`) runs the jobs as well, not only the site. */
  areJobsRunByCommands?: boolean;
  /** Runs at the start of a process with workers: queues work that lost its job. */
  resume?: (ctx: Ctx) => Promise<unknown>;
  /** Reads the numbers of the slice for /metrics, at each scrape. */
  measure?: (ctx: Ctx) => Promise<Measurement[]>;
  /** Loads the commands of the slice. The site never loads them. */
  loadCommands?: () => Promise<AddCommands[]>;
};

/**
 * The data that each slice keeps about people. A copy of the data and the erasure of an account are made from this list (C-74). The
 * account itself comes last: the other parts may read it.
 */
export const PERSONAL_DATA: PersonalData[] = [
  shelfPersonalData,
  groupsPersonalData,
  invitesPersonalData,
  legalPersonalData,
  paymentPersonalData,
  membershipPersonalData,
  accountsPersonalData,
];

/** Every slice of the site. The order is that of the commands in `ceku help`. */
export const SLICES: Slice[] = [
  {
    name: 'ingest',
    jobs: ingestJobs,
    cron: INGEST_CRON,
    areJobsRunByCommands: true,
    resume: resumeIngest,
    measure: measureIngest,
    loadCommands: async () => [(await import('./ingest/server/intake/commands.ts')).ingestCommands],
  },
  {
    name: 'library',
    loadRoutes: async () => (await import('./library/server/routes.ts')).libraryRoutes,
    jobs: libraryJobs,
    cron: LIBRARY_CRON,
    resume: resumePlanFacts,
    measure: measureLibrary,
    loadCommands: async () => [
      (await import('./library/server/commands.ts')).libraryCommands,
      (await import('./library/server/label-commands.ts')).labelCommands,
    ],
  },
  {
    name: 'charts',
    loadRoutes: async () => (await import('./charts/server/routes.ts')).chartsRoutes,
    loadCommands: async () => [
      (await import('./charts/server/commands.ts')).chartCommands,
      (await import('./ingest/server/about/commands.ts')).aboutCommands,
    ],
  },
  {
    name: 'accounts',
    loadRoutes: async () => (await import('./accounts/server/routes.ts')).accountsRoutes(PERSONAL_DATA),
    jobs: accountsJobs(PERSONAL_DATA),
    cron: ACCOUNTS_CRON,
    measure: measureAccounts,
    loadCommands: async () => {
      const { accountCommands } = await import('./accounts/server/commands.ts');
      return [(program, open) => accountCommands(program, open, PERSONAL_DATA)];
    },
  },
  {
    name: 'membership',
    loadRoutes: async () => (await import('./membership/server/routes.ts')).membershipRoutes,
    loadCommands: async () => {
      const { membershipCommands } = await import('./membership/server/commands.ts');
      return [(program, open) => membershipCommands(program, open, PERSONAL_DATA)];
    },
  },
  {
    name: 'prices',
    loadRoutes: async () => (await import('./prices/server/routes.ts')).priceRoutes,
    loadCommands: async () => [(await import('./prices/server/commands.ts')).priceCommands],
  },
  {
    name: 'payment',
    loadRoutes: async () => (await import('./payment/server/routes.ts')).paymentRoutes,
    jobs: paymentJobs,
    cron: PAYMENT_CRON,
    measure: measurePayment,
    loadCommands: async () => [(await import('./payment/server/commands.ts')).paymentCommands],
  },
  {
    name: 'groups',
    loadRoutes: async () => (await import('./groups/server/routes.ts')).groupRoutes,
    jobs: groupJobs,
    cron: GROUPS_CRON,
    loadCommands: async () => [(await import('./groups/server/commands.ts')).groupCommands],
  },
  {
    name: 'collections',
    loadRoutes: async () => (await import('./collections/server/routes.ts')).collectionRoutes,
    loadCommands: async () => [(await import('./collections/server/commands.ts')).collectionCommands],
  },
  {
    name: 'legal',
    loadRoutes: async () => (await import('./legal/server/routes.ts')).legalRoutes,
    jobs: legalJobs,
    cron: LEGAL_CRON,
    resume: logWaiting,
    measure: measureLegal,
    loadCommands: async () => [
      (await import('./legal/server/takedown-commands.ts')).takedownCommands,
      (await import('./legal/server/privacy-commands.ts')).privacyCommands,
    ],
  },
  {
    name: 'search',
    loadRoutes: async () => (await import('./search/server/routes.ts')).searchRoutes,
    jobs: searchJobs,
    areJobsRunByCommands: true,
    resume: resumeSearch,
    measure: measureSearch,
    loadCommands: async () => [
      (await import('./search/server/commands.ts')).searchCommands,
      (await import('./search/server/hot/hot-word-commands.ts')).hotWordCommands,
    ],
  },
  { name: 'shelf', loadRoutes: async () => (await import('./shelf/server/routes.ts')).shelfRoutes },
  { name: 'reading', loadRoutes: async () => (await import('./reading/server/routes.ts')).readingRoutes },
  {
    name: 'invites',
    loadRoutes: async () => (await import('./invites/server/routes.ts')).inviteRoutes,
    jobs: inviteJobs,
  },
  {
    name: 'ranking',
    jobs: rankingJobs,
    cron: RANKING_CRON,
    loadCommands: async () => [(await import('./ranking/server/commands.ts')).rankingCommands],
  },
  {
    name: 'demo',
    jobs: [completeDemoJob, indexFillJob],
    resume: resumeDemo,
    loadCommands: async () => [(await import('../demo/commands.ts')).demoCommands],
  },
];
