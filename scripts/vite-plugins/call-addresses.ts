import { parseSync, type Plugin } from 'vite';

/** The contracts of the slices, and the fields that contracts are made of. */
const CONTRACT = /\/src\/(?:.+\/contract(?:-[a-z-]+)?|protocol\/(?:fields|paging))\.ts$/;

/** The fields of an endpoint that a page needs to call it (src/protocol/call.ts, src/accounts/web/call.ts). */
const KEPT = new Set(['method', 'path', 'auth']);

/**
 * Leaves of an endpoint only its method, path and auth in the scripts for browsers. The server alone checks a call
 * against the schemas; in a page they would load the validator and the descriptions of all fields. A schema that a page
 * uses by itself stays.
 */
export function callAddresses(): Plugin {
  return {
    name: 'ceku-call-addresses',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: CONTRACT },
      handler: (code) => ({ code: withoutSchemas(code), map: null }),
    },
  };
}

/** Returns a contract's module with the endpoints shortened, and with all other values computed only where they are used. */
export function withoutSchemas(code: string): string {
  const { program, errors } = parseSync('contract.js', code);
  if (errors.length > 0) throw new Error(`a contract does not parse: ${errors[0]?.message}`);
  let made = '';
  let at = 0;
  const replace = ({ start, end }: Span, text: string) => {
    made += code.slice(at, start) + text;
    at = end;
  };
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { init } of declared.declarations) {
      if (!init || IS_PLAIN.has(init.type)) continue;
      const text = code.slice(init.start, init.end);
      if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'endpoint') {
        // Bundlers drop a call marked as pure when nobody uses its result.
        replace(init, `/* @__PURE__ */ (() => (${text}))()`);
        continue;
      }
      const [definition] = init.arguments;
      if (definition?.type !== 'ObjectExpression') throw new Error(`endpoint() takes an object literal: ${text}`);
      const kept = definition.properties.filter(
        (property) => property.type === 'Property' && property.key.type === 'Identifier' && KEPT.has(property.key.name),
      );
      if (kept.length !== KEPT.size) throw new Error(`endpoint() names its method, path and auth: ${text}`);
      replace(init, `{ ${kept.map(({ start, end }) => code.slice(start, end)).join(', ')} }`);
    }
  }
  return made + code.slice(at);
}

type Span = { start: number; end: number };

/** Initial values that compute nothing. */
const IS_PLAIN = new Set(['Literal', 'TemplateLiteral', 'ArrowFunctionExpression', 'FunctionExpression']);
