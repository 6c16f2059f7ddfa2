import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isLoopbackHost } from './loopback.ts';
import { providerKeys, readProviderSettings, type ProviderSettings } from './provider-settings.ts';
import { isGuessableSecret, namesPublicHost, whyPublic } from './public-site.ts';

/**
 * Relative folders are resolved against the project's folder, so that `ceku` finds the site's data from any working
 * directory.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * True for `https://host` or `https://host:8443` as browsers write an origin, with nothing before, inside or behind.
 */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

const text = (fallback: string) => z.string().trim().default(fallback);

/** Every environment variable that is read. */
export const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text('0.0.0.0'),
  DATA_DIR: text('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(20),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, {
      error: 'must be https://host and nothing else: no path, no user name, a Chinese host in its xn-- form',
      abort: true,
    })
    .refine((url) => url.startsWith('https:') || !namesPublicHost(url), 'must begin with https://')
    .optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(5).default(0),
  SECRET_KEY: z
    .string()
    .min(32, { error: 'must be at least 32 characters', abort: true })
    .refine((secret) => !isGuessableSecret(secret), 'must be random, not a sample: "openssl rand -hex 32" makes one')
    .optional(),
  SITE_NAME: text('策库'),
  ICP_NUMBER: text('京ICP备00000000号-1'),
  COMPANY_NAME: text('策库（演示站点）'),
  COMPANY_PHONE: text('400-000-0000'),
  COMPANY_EMAIL: text('service@example.com'),
  COMPANY_ADDRESS: text('北京市朝阳区'),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  DEMO: z.enum(['on', 'off']).optional(),
  SYNONYMS_FILE: z.string().trim().optional(),
  PREVIEW_MARK: z.enum(['off', 'text']).default('off'),
  MACROS: z.enum(['refuse', 'previews']).default('refuse'),
  WORKERS: z.coerce.number().int().min(0).max(16).default(2),
  SEARCH_THREADS: z.coerce.number().int().min(0).max(16).default(2),
  SMS_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(1_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  OUTSIDE: z.enum(['on', 'off']).optional(),
  OUTSIDE_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OUTSIDE_HOST: text('127.0.0.1').refine(
    isLoopbackHost,
    'must be an address of this machine alone, like 127.0.0.1: everybody who reaches the pretend phone can read all codes',
  ),
  ...providerKeys,
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
});

export type Config = {
  port: number;
  host: string;
  /** Absolute path of the folder that holds everything this machine keeps: database, files, keys. */
  dataDir: string;
  /** Null: the embedded database in dataDir. */
  databaseUrl: string | null;
  databasePool: number;
  /** Null: the address is taken from the Host header of each request. */
  publicUrl: string | null;
  /** How many of the operator's proxies append to X-Forwarded-For in front of the site. */
  trustedProxies: number;
  /** Null: the key is a file in dataDir. A site of several nodes needs the same key on all nodes. */
  secretKey: string | null;
  site: SiteFacts;
  isRateLimited: boolean;
  /**
   * The reason, for the operator, why the public can reach the site; null when nothing in the configuration says so.
   */
  publicBecause: string | null;
  /**
   * An empty library is filled with the demo library and its logins. Default: only with the embedded database and while
   * the site is not public, because everybody knows the demo password.
   */
  isDemo: boolean;
  /**
   * Who may use the demo logins, even those that an earlier start created: nobody, browsers on this machine, or
   * everybody who reaches the site (`DEMO=on`).
   */
  demoLogins: 'refused' | 'this-machine' | 'everywhere';
  /** Absolute path of the operator's own synonym groups; null: only the groups of this release. */
  synonymsFile: string | null;
  /** The site's name is drawn into page images as a small watermark. */
  hasPreviewMark: boolean;
  /**
   * True: decks with macros are ingested and shown, but their originals are never downloadable. False: they are
   * refused.
   */
  takesMacros: boolean;
  workers: number;
  /** Worker threads of the search engine; 0: the database answers searches. */
  searchThreads: number;
  /** Maximum number of text messages that the whole site sends in an hour. */
  smsPerHour: number;
  logLevel: string;
  isDevelopment: boolean;
  /** Credentials of the real vendors. */
  providers: ProviderSettings;
  /**
   * Settings of the pretend outside world (src/outside/); null beside real credentials, on a public site, or when switched
   * off.
   */
  outside: OutsideSettings | null;
};

/**
 * Where the pretend outside world listens. `port` null: the site's port plus one, or any free port when that one is taken.
 */
export type OutsideSettings = { host: string; port: number | null };

/** Shown in the footer and on the legal pages. */
export type SiteFacts = {
  name: string;
  icpNumber: string;
  companyName: string;
  companyPhone: string;
  companyEmail: string;
  companyAddress: string;
};

/** Names every invalid key at once, never its value. Exit code 78. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const inWords = (issue: z.core.$ZodIssue): string => `${issue.path.join('.')}: ${mustBe(issue)}`;

/** Returns an issue in words for the operator: of `PORT=web` zod says that it received NaN. */
function mustBe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int'))
    return 'must be a whole number';
  if (issue.code === 'too_small' && issue.origin === 'number') return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big' && issue.origin === 'number') return `must be ${issue.maximum} or less`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(', ').replace(/, ([^,]*)$/, ' or $1')}`;
  return issue.message;
}

/** Parses the environment once. Empty strings count as unset. Throws ConfigError naming every bad key. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given);
  const { settings: providers, problems: halfSets } = readProviderSettings(given);
  // Contradictions between keys are reported together with invalid keys, each key once.
  const wrong = parsed.success ? [] : parsed.error.issues.map(inWords);
  const named = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  const between = [...halfSets, ...findContradictions(given)].filter(
    (problem) => !named.has(problem.split(':')[0] ?? ''),
  );
  if (!parsed.success || between.length > 0) throw new ConfigError([...wrong, ...between]);
  const values = parsed.data;
  const hasProviderKeys = Object.values(providers).some((settings) => settings !== null);
  const publicBecause = whyPublic({
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUST_PROXY,
    hasProviderKeys,
  });
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(ROOT, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databasePool: values.DATABASE_POOL,
    publicUrl: values.PUBLIC_URL ?? null,
    trustedProxies: values.TRUST_PROXY,
    secretKey: values.SECRET_KEY ?? null,
    site: {
      name: values.SITE_NAME,
      icpNumber: values.ICP_NUMBER,
      companyName: values.COMPANY_NAME,
      companyPhone: values.COMPANY_PHONE,
      companyEmail: values.COMPANY_EMAIL,
      companyAddress: values.COMPANY_ADDRESS,
    },
    isRateLimited: values.RATE_LIMITS === 'on',
    publicBecause,
    isDemo: values.DEMO ? values.DEMO === 'on' : !values.DATABASE_URL && publicBecause === null,
    demoLogins: demoLoginsOf(values.DEMO, publicBecause),
    synonymsFile: values.SYNONYMS_FILE ? resolve(ROOT, values.SYNONYMS_FILE) : null,
    hasPreviewMark: values.PREVIEW_MARK === 'text',
    takesMacros: values.MACROS === 'previews',
    workers: values.WORKERS,
    searchThreads: values.SEARCH_THREADS,
    smsPerHour: values.SMS_PER_HOUR,
    logLevel: values.LOG_LEVEL,
    isDevelopment: values.NODE_ENV === 'development',
    providers,
    outside: isPretending(values, hasProviderKeys)
      ? { host: values.OUTSIDE_HOST, port: values.OUTSIDE_PORT ?? null }
      : null,
  };
}

/** Returns the contradictions between keys that are valid by themselves. */
function findContradictions(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const isBesideKeys = Object.keys(providerKeys).some((key) => given[key]);
  if (given['OUTSIDE'] === 'on') {
    const why = isBesideKeys ? 'beside real keys' : 'on a public site, which PUBLIC_URL says this is';
    if (isBesideKeys || namesPublicHost(given['PUBLIC_URL']))
      problems.push(`OUTSIDE: must be off, or not set: the pretend outside world never runs ${why}`);
  }
  if (given['DEMO'] === 'on' && isBesideKeys)
    problems.push('DEMO: must be off, or not set: demo logins never stand beside real keys');
  return problems;
}

function demoLoginsOf(demo: 'on' | 'off' | undefined, publicBecause: string | null): Config['demoLogins'] {
  if (demo === 'on') return 'everywhere';
  return demo === 'off' || publicBecause !== null ? 'refused' : 'this-machine';
}

/**
 * The pretend outside world runs by default only with the embedded database on a site that is not public: everybody who reaches
 * the pretend phone, from this machine alone, can read the codes of all phones and confirm every scan.
 */
function isPretending(values: z.infer<typeof environment>, hasProviderKeys: boolean): boolean {
  if (hasProviderKeys) return false;
  return values.OUTSIDE ? values.OUTSIDE === 'on' : !values.DATABASE_URL && !namesPublicHost(values.PUBLIC_URL);
}
