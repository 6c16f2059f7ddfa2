import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** An environment as it was given: trimmed, without the variables that hold nothing. */
export type Given = Record<string, string | undefined>;

/** Names every invalid key at once, never its value. Exit code 78. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Parses environment variables. Empty strings count as unset. `values` is null when there are problems; each problem
 * begins with the name of its key and never holds the key's value.
 */
export function parseEnvironment<S extends z.ZodObject>(
  schema: S,
  env: NodeJS.ProcessEnv,
): { given: Given; values: z.output<S> | null; problems: string[] } {
  const trimmed = Object.entries(env).map(([key, value]) => [key, value?.trim()] as const);
  const given: Given = Object.fromEntries(trimmed.filter(([, value]) => value));
  const parsed = schema.safeParse(given);
  return { given, values: parsed.data ?? null, problems: parsed.error?.issues.map(inWords) ?? [] };
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

/**
 * Returns the variables, trimmed, with the content of the files that `KEY_FILE` names as `KEY`, for the given keys: secrets that a
 * platform hands over as files. A file that cannot be read, an empty one, and a key that is given twice are problems.
 */
export function readSecretFiles(given: Given, keys: readonly string[]): { given: Given; problems: string[] } {
  const problems: string[] = [];
  const trimmed: Given = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value?.trim()]));
  const contents: Given = {};
  for (const key of keys) {
    const path = trimmed[`${key}_FILE`];
    if (!path) continue;
    if (trimmed[key]) problems.push(`${key}_FILE: must not be set beside ${key}`);
    try {
      contents[key] = readFileSync(path, 'utf8').trim();
      if (!contents[key]) problems.push(`${key}_FILE: must name a file that holds something`);
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
      problems.push(`${key}_FILE: must name a file that can be read (${reason})`);
    }
  }
  return { given: { ...trimmed, ...contents }, problems };
}

/** Returns a PEM text with line breaks: variables of some platforms hold `\n` in their place. */
export const withLineBreaks = (text: string) => (text.includes('\n') ? text : text.replaceAll('\\n', '\n'));

/**
 * Returns the variables of a set that belongs together; null when no variable of the set is given, or when the set is
 * incomplete: then each missing variable is added to `problems` by its name, unless it may be a file (`optional` has its KEY_FILE), of which
 * readSecretFiles has said what is wrong.
 */
export function readWholeSet<K extends string>(
  given: Given,
  required: readonly K[],
  optional: readonly string[],
  problems: string[],
): Record<K, string> | null {
  const begun = [...required, ...optional].find((key) => given[key]);
  if (!begun) return null;
  const missing = required.filter((key) => !given[key]);
  problems.push(
    ...missing
      .filter((key) => !(optional.includes(`${key}_FILE`) && given[`${key}_FILE`]))
      .map((key) => `${key}: is missing, while ${begun} is set`),
  );
  if (missing.length > 0) return null;
  // Safe: with nothing missing every required key has its text.
  return Object.fromEntries(required.map((key) => [key, given[key]])) as Record<K, string>;
}
