import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  providerKeys,
  readProviderSettings,
  type OutsideSettings,
  type ProviderSettings,
} from './accounts/server/adapters/provider-settings.ts';
import { alertKeys, readAlertUrl } from './payment/server/operator/alert-settings.ts';
import { gatewayKeys, readGatewaySettings, type GatewaySettings } from './payment/server/adapters/gateways.ts';
import { paymentWarnings } from './payment/server/adapters/settings-warnings.ts';
import { databaseUrlProblem, withNamedSslMode } from './platform/db/client.ts';
import { ConfigError, parseEnvironment } from './platform/environment.ts';
import { isGuessableSecret } from './platform/files/secret-key.ts';
import { isLoopbackHost, isPrivateHost } from './platform/loopback.ts';

/**
 * Relative folders are resolved against the project's folder, so that `ceku` finds the site's data from any working
 * directory.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * True for `https://host` or `https://host:8443` as browsers write an origin, with nothing before, inside or behind.
 */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** The address that the demo site shows: nobody reads it. */
export const DEMO_EMAIL = 'service@example.com';

const text = (fallback: string) => z.string().trim().default(fallback);

/** How many sessions a user may keep open at once, and a member for life (C-43). */
const SESSION_LIMITS = { standard: 5, lifetime: 20 };

/** Every environment variable that is read. */
export const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text('0.0.0.0'),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  DATA_DIR: text('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://', abort: true })
    .transform(withNamedSslMode)
    .superRefine((url, { addIssue }) => {
      const problem = databaseUrlProblem(url);
      if (problem) addIssue(problem);
    })
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
  PUBLIC_SECURITY_NUMBER: text('').refine(
    (number) => number === '' || /\d{8,}/.test(number),
    'must be the whole number, like 京公网安备11010502000000号',
  ),
  COMPANY_NAME: text('策库（演示站点）'),
  COMPANY_PHONE: text('400-000-0000'),
  COMPANY_EMAIL: text(DEMO_EMAIL),
  COMPANY_ADDRESS: text('北京市朝阳区'),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  SESSION_LIMIT: z.coerce.number().int().min(1).max(100).default(SESSION_LIMITS.standard),
  SESSION_LIMIT_LIFETIME: z.coerce.number().int().min(1).max(100).default(SESSION_LIMITS.lifetime),
  DEMO: z.enum(['on', 'off']).optional(),
  SYNONYMS_FILE: z.string().trim().optional(),
  PREVIEW_MARK: z.enum(['off', 'text']).default('off'),
  PAGE_CACHE_MB: z.coerce.number().int().min(64).max(10_000_000).default(2_048),
  MACROS: z.enum(['refuse', 'previews']).default('refuse'),
  WORKERS: z.coerce.number().int().min(0).max(16).default(2),
  SEARCH_THREADS: z.coerce.number().int().min(0).max(16).default(2),
  SMS_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(1_000),
  INVITE_REWARD_COINS: z.coerce.number().int().min(0).max(10_000).default(0),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  OUTSIDE: z.enum(['on', 'off']).optional(),
  OUTSIDE_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OUTSIDE_HOST: text('127.0.0.1')
    .refine(
      isLoopbackHost,
      'must be an address of this machine alone, like 127.0.0.1: everybody who reaches the pretend phone can read all codes',
    )
    // Node listens on ::1; the brackets belong to addresses of pages.
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1')),
  ...providerKeys,
  ...gatewayKeys,
  ...alertKeys,
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
});

export type Config = {
  port: number;
  host: string;
  /** Null: /metrics is not served. */
  metricsPort: number | null;
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
  /** How many sessions one user may keep open at once, and a member for life (C-43). */
  sessionLimits: { standard: number; lifetime: number };
  /**
   * The reason, for the operator, why the public can reach the site; null when nothing in the configuration says so.
   */
  publicBecause: string | null;
  /**
   * An empty library is filled with the demo library and its logins. Default: only with the embedded database and while
   * the site is not public, because the demo logins are shared.
   */
  isDemo: boolean;
  /**
   * The clients that may use the demo logins, also those of an earlier start: none, browsers on this machine, or
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
  /** Maximum bytes of page images that were drawn for readers of whole decks. */
  pageCacheBytes: number;
  workers: number;
  /** Worker threads of the search engine; 0: the database answers searches. */
  searchThreads: number;
  /** Maximum number of text messages that the whole site sends in an hour. */
  smsPerHour: number;
  /** Coins for a member whose invitee has bound a phone (C-90); 0: no reward. */
  inviteRewardCoins: number;
  logLevel: string;
  isDevelopment: boolean;
  /** Credentials of the real vendors. */
  providers: ProviderSettings;
  /** Credentials of the real payment providers. */
  gateways: GatewaySettings;
  /** Secret address that alerts about payments waiting for a person are sent to; null: only the log and `ceku order report` tell. */
  alertUrl: string | null;
  /**
   * Settings of the pretend outside world (src/outside/); null beside real credentials, on a public site, or when switched
   * off.
   */
  outside: OutsideSettings | null;
};

/**
 * Returns a line for the operator about each variable that begins like a payment key but is not one: a misspelt name would be
 * ignored in silence.
 */
export function unknownPaymentKeys(env: NodeJS.ProcessEnv): string[] {
  const isPaymentKey = (key: string) => /^(WECHAT_PAY|ALIPAY)_/.test(key);
  return Object.keys(env)
    .filter((key) => isPaymentKey(key) && !Object.hasOwn(gatewayKeys, key))
    .map(
      (key) =>
        `${key}: is not a variable of Ceku and is not read; docs/operations.md lists those of the payment providers`,
    );
}

/** Returns a line for the operator about each setting of payment that is not read, or that works today and needs a person. */
export const warningsOfPayment = (): string[] => [...unknownPaymentKeys(process.env), ...paymentWarnings(process.env)];

/** Shown in the footer and on the legal pages. */
export type SiteFacts = {
  name: string;
  icpNumber: string;
  /** 京公网安备…号; "" for a site that is not on the record of the police. */
  publicSecurityNumber: string;
  companyName: string;
  companyPhone: string;
  companyEmail: string;
  companyAddress: string;
};

/**
 * Parses the environment once. Empty strings count as unset. Throws ConfigError naming every bad key, and each that may be the
 * misspelt one among them.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { given, values, problems } = parseEnvironment(environment, env);
  const { settings: providers, problems: halfSets } = readProviderSettings(given);
  const { settings: gateways, problems: halfGateways } = readGatewaySettings(given);
  const { alertUrl, problems: badAlerts } = readAlertUrl(given);
  // Contradictions between keys are reported together with invalid keys, each key once.
  const named = new Set(problems.map(keyOf));
  const between = [...halfSets, ...halfGateways, ...badAlerts, ...findContradictions(given)].filter(
    (problem) => !named.has(keyOf(problem)),
  );
  if (!values || between.length > 0) throw new ConfigError([...problems, ...between, ...unknownPaymentKeys(env)]);
  const hasProviderKeys = Object.values({ ...providers, ...gateways }).some((settings) => settings !== null);
  const publicBecause = whyPublic({
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUST_PROXY,
    hasProviderKeys,
  });
  const isOutside = isPretending(values, hasProviderKeys);
  if (isOutside && values.OUTSIDE_PORT === undefined && values.METRICS_PORT === values.PORT + 1)
    throw new ConfigError([
      `METRICS_PORT: must be another port than ${values.PORT + 1}, PORT + 1, where the pretend phone is unless OUTSIDE_PORT is set`,
    ]);
  return {
    port: values.PORT,
    host: values.HOST,
    metricsPort: values.METRICS_PORT ?? null,
    dataDir: resolve(ROOT, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databasePool: values.DATABASE_POOL,
    publicUrl: values.PUBLIC_URL ?? null,
    trustedProxies: values.TRUST_PROXY,
    secretKey: values.SECRET_KEY ?? null,
    site: {
      name: values.SITE_NAME,
      icpNumber: values.ICP_NUMBER,
      publicSecurityNumber: values.PUBLIC_SECURITY_NUMBER,
      companyName: values.COMPANY_NAME,
      companyPhone: values.COMPANY_PHONE,
      companyEmail: values.COMPANY_EMAIL,
      companyAddress: values.COMPANY_ADDRESS,
    },
    isRateLimited: values.RATE_LIMITS === 'on',
    sessionLimits: { standard: values.SESSION_LIMIT, lifetime: values.SESSION_LIMIT_LIFETIME },
    publicBecause,
    isDemo: values.DEMO ? values.DEMO === 'on' : !values.DATABASE_URL && publicBecause === null,
    demoLogins: demoLoginsOf(values.DEMO, publicBecause),
    synonymsFile: values.SYNONYMS_FILE ? resolve(ROOT, values.SYNONYMS_FILE) : null,
    hasPreviewMark: values.PREVIEW_MARK === 'text',
    takesMacros: values.MACROS === 'previews',
    pageCacheBytes: values.PAGE_CACHE_MB * 1_048_576,
    workers: values.WORKERS,
    searchThreads: values.SEARCH_THREADS,
    smsPerHour: values.SMS_PER_HOUR,
    inviteRewardCoins: values.INVITE_REWARD_COINS,
    logLevel: values.LOG_LEVEL,
    isDevelopment: values.NODE_ENV === 'development',
    providers,
    gateways,
    alertUrl,
    outside: isOutside ? { host: values.OUTSIDE_HOST, port: values.OUTSIDE_PORT ?? null } : null,
  };
}

const numberOf = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);

const keyOf = (problem: string) => problem.split(':')[0];

/** Returns the contradictions between keys that are valid by themselves. */
function findContradictions(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const isBesideKeys = Object.keys({ ...providerKeys, ...gatewayKeys }).some((key) => given[key]);
  if (given['OUTSIDE'] === 'on') {
    const why = isBesideKeys ? 'beside real keys' : 'on a public site, which PUBLIC_URL says this is';
    if (isBesideKeys || namesPublicHost(given['PUBLIC_URL']))
      problems.push(`OUTSIDE: must be off, or not set: the pretend outside world never runs ${why}`);
  }
  if (given['NODE_ENV'] === 'development' && namesPublicHost(given['PUBLIC_URL']))
    problems.push(
      'NODE_ENV: must be production, or not set, on a public site, which PUBLIC_URL says this is: development answers this machine alone',
    );
  if (given['DEMO'] === 'on' && isBesideKeys)
    problems.push('DEMO: must be off, or not set: demo logins never stand beside real keys');
  problems.push(...findUnsafePayment(given));
  const metricsPort = numberOf(given['METRICS_PORT'], 0);
  const outsidePort = numberOf(given['OUTSIDE_PORT'], 0);
  const taken = [
    ['PORT', numberOf(given['PORT'], environment.shape.PORT.parse(undefined))],
    ['OUTSIDE_PORT', outsidePort],
  ] as const;
  if (outsidePort > 0 && outsidePort === taken[0][1]) problems.push('OUTSIDE_PORT: must be another port than PORT');
  for (const [key, port] of taken)
    if (metricsPort > 0 && metricsPort === port) problems.push(`METRICS_PORT: must be another port than ${key}`);
  const [standard, lifetime] = [
    numberOf(given['SESSION_LIMIT'], SESSION_LIMITS.standard),
    numberOf(given['SESSION_LIMIT_LIFETIME'], SESSION_LIMITS.lifetime),
  ];
  if (lifetime < standard)
    problems.push(`SESSION_LIMIT_LIFETIME: must be ${standard} or more, like SESSION_LIMIT of all other users`);
  return problems;
}

/**
 * Real money needs an address that the providers can notify, and a database that the operator runs and backs up. Alipay's
 * sandbox has no real money, so it is for trials only: real goods must not be sold for play money.
 */
function findUnsafePayment(given: Record<string, string | undefined>): string[] {
  const key = Object.keys(gatewayKeys).find((each) => given[each] && each !== 'ALIPAY_SANDBOX');
  if (!key) return [];
  if (given['ALIPAY_SANDBOX'] === 'on') {
    const isLive =
      namesPublicHost(given['PUBLIC_URL']) ||
      Object.keys(gatewayKeys).some((each) => given[each] && each.startsWith('WECHAT_PAY'));
    return isLive
      ? ['ALIPAY_SANDBOX: must be off on a public site and beside WECHAT_PAY_*: the sandbox sells for play money']
      : [];
  }
  const problems: string[] = [];
  const host = URL.parse(given['PUBLIC_URL'] ?? '')?.hostname;
  if (!host || isPrivateHost(host))
    problems.push(`PUBLIC_URL: must be the public https address, while ${key} is set: payments are notified there`);
  if (!given['DATABASE_URL'])
    problems.push(
      `DATABASE_URL: is missing, while ${key} is set: the embedded database is for trials without real money`,
    );
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
  if (values.OUTSIDE) return values.OUTSIDE === 'on';
  const facts = { publicUrl: values.PUBLIC_URL, trustedProxies: values.TRUST_PROXY, hasProviderKeys };
  return !values.DATABASE_URL && whyPublic(facts) === null;
}

type Facts = { publicUrl: string | undefined; trustedProxies: number; hasProviderKeys: boolean };

/**
 * Returns the reason, for the operator, why the public can reach the site according to its configuration; null when
 * nothing says so.
 */
function whyPublic({ publicUrl, trustedProxies, hasProviderKeys }: Facts): string | null {
  if (namesPublicHost(publicUrl)) return 'PUBLIC_URL names a public host';
  if (hasProviderKeys) return 'keys of WeChat, Alipay or an SMS carrier are set';
  if (trustedProxies > 0) return 'TRUST_PROXY says that a proxy stands in front';
  return null;
}

/** True for an address whose host is not this machine. False for a missing or invalid address. */
function namesPublicHost(publicUrl: string | undefined): boolean {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  return url !== null && !isLoopbackHost(url.hostname);
}
