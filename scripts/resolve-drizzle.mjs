// Preloaded (`node --import`) into the site, `ceku` and the workers of tests.
//
// To learn the format of a `.js` file Node reads the package.json above the file, and Node 24 parses its `exports` each
// time. drizzle-orm has 300 modules under a package.json of 180 KB: that is 0.4 s of processor time at every start.
// Relative imports inside drizzle-orm name existing ES modules, so they are resolved here without that file.
import { registerHooks } from 'node:module';

const INSIDE = '/node_modules/drizzle-orm/';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes(INSIDE)) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    }
    return next(specifier, context);
  },
});
