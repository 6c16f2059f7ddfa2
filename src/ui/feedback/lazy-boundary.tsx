import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { reloadOnceFor } from './chunk-reload.ts';
import { toast } from './toast.tsx';

/** The script of a component could not be loaded. */
class LoadError extends Error {
  /** Lets the component try again: React keeps the failure of what `lazy` has made. */
  readonly renew: () => void;
  readonly isRepeated: boolean;
  constructor(cause: unknown, isRepeated: boolean, renew: () => void) {
    super('component not loaded', { cause });
    this.isRepeated = isRepeated;
    this.renew = renew;
  }
}

let hasFailed = false;
/** The parts that have come, by what imports them. */
const here = new WeakMap<() => Promise<unknown>, unknown>();

/** Imports a script with its style sheets. After a failure the next call loads all of them again. */
export async function importPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    if (hasFailed) await (await import('./reload-styles.ts')).reloadFailedStyles();
    const part = await load();
    here.set(load, part);
    return part;
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

/** Makes a component whose script is loaded when the component is first shown. It stands inside a LazyBoundary, which tries again. */
export function lazyWithRetry<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let failures = 0;
  const make = () =>
    lazy(() =>
      importPart(load).then(
        (component) => ({ default: component }),
        (error: unknown) => {
          failures += 1;
          throw new LoadError(error, failures > 1, () => (Loaded = make()));
        },
      ),
    );
  let Loaded = make();
  return (props) => {
    // What is here is shown at once: React waits 0.3 s after a fallback. Safe: kept under this very import.
    const [Shown] = useState(() => (here.get(load) as ComponentType<Props> | undefined) ?? Loaded);
    return <Shown {...props} />;
  };
}

type Props = {
  /** Shown while the script is loaded, and after it could not be. */
  fallback?: ReactNode;
  /** Called with false when the component could not be loaded, so that the next press of its button opens it; with true when 重试 opens it. */
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
};

type State = { error: unknown };

/**
 * Shows a lazyWithRetry component. When its script cannot be loaded the page stays as it is, and a message offers 重试. The second
 * failure reloads a page whose script a new release has replaced, within the limit of C-97.
 */
export class LazyBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof LoadError)) return;
    error.renew();
    if (error.isRepeated) reloadOnceFor(error.cause);
    toast.offer('warning', '加载失败，请检查网络', '重试', () => {
      this.setState({ error: null });
      this.props.onOpenChange?.(true);
    });
    this.props.onOpenChange?.(false);
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { fallback, children } = this.props;
    if (error instanceof LoadError) return fallback;
    if (error !== null) throw error;
    return <Suspense fallback={fallback}>{children}</Suspense>;
  }
}
