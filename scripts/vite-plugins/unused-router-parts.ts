import type { Plugin } from 'vite';

/**
 * Conditions in modules of React Router that a setting decides while the page runs, so that no bundler can drop what
 * stands behind them, each with its outcome in a browser of this site: all routes are known from the start
 * (`routeDiscovery` in react-router.config.ts), nothing observes the router's calls, the server alone writes the scripts
 * that start a page, and routes are replaced only by the development server.
 */
const OUTCOMES: Record<string, readonly (readonly [code: string, outcome: string])[]> = {
  'dom/ssr/fog-of-war.js': [
    ['if (!isFogOfWarEnabled(routeDiscovery, ssr)) return;', 'return;'],
    [
      'if (!isFogOfWarEnabled(routeDiscovery, ssr) || window.navigator?.connection?.saveData === true) return;',
      'return;',
    ],
  ],
  'dom/ssr/components.js': [
    ['let enableFogOfWar = isFogOfWarEnabled(routeDiscovery, ssr);', 'const enableFogOfWar = false;'],
    ['let contextScript = staticContext ?', 'let contextScript = false ?'],
    ['let routeModulesScript = !isStatic ?', 'let routeModulesScript = true ?'],
  ],
  'router/router.js': [
    ['if (init.instrumentations) {', 'if (false) {'],
    ['if (init.instrumentations) router =', 'if (false) router ='],
  ],
  'dom-export/hydrated-router.js': [
    ['router.createRoutesForHMR = UNSAFE_createClientRoutesWithHMRRevalidationOptOut;', ''],
  ],
};

const PLACE = new RegExp(
  `/react-router/dist/production/lib/(${Object.keys(OUTCOMES)
    .join('|')
    .replaceAll('.', String.raw`\.`)})$`,
);

/** Leaves the parts of React Router that never run out of the scripts for browsers. */
export function unusedRouterParts(): Plugin {
  return {
    name: 'ceku-unused-router-parts',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: PLACE },
      handler: (code, id) => ({ code: withOutcomes(code, PLACE.exec(id)?.[1] ?? ''), map: null }),
    },
  };
}

/** Returns a module of React Router with the conditions decided. Throws when a release of React Router words one otherwise. */
export function withOutcomes(code: string, part: string): string {
  return (OUTCOMES[part] ?? []).reduce((made, [condition, outcome]) => {
    if (!made.includes(condition)) throw new Error(`React Router's ${part} does not contain "${condition}" any more.`);
    return made.replace(condition, outcome);
  }, code);
}
