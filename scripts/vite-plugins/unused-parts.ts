import { parseSync, type Plugin } from 'vite';
import { REACT_PARTS } from './react-parts.ts';
import { ROUTER_PARTS, type Parts } from './router-parts.ts';

/** By the path of a module in node_modules. */
const PARTS: Record<string, Parts> = Object.fromEntries([
  ...Object.entries(ROUTER_PARTS).map(([module, parts]) => [`react-router/dist/production/${module}`, parts]),
  ...Object.entries(REACT_PARTS).map(([module, parts]) => [`react-dom/cjs/${module}`, parts]),
]);

const PLACE = new RegExp(
  `/node_modules/(${Object.keys(PARTS)
    .join('|')
    .replaceAll('.', String.raw`\.`)})$`,
);

/** Statements that tell a developer of a mistake or name a component for development tools. */
const ADVICE = /^(?:warning|warningOnce|warnOnce)\(|^\w+\.displayName =/;

/** Our own use of a part that is left out: an export of a page, an import, or a property of an element. */
const LEFT_OUT = [
  /\bexport (?:const|(?:async )?function) (action|clientAction|clientLoader|clientMiddleware|HydrateFallback)\b/,
  /\bimport \{[^}]*\b(Await|Form|PrefetchPageLinks|use(?:Blocker|Fetchers?|FormAction|Prompt|Submit|ViewTransitionState))\b[^}]*\} from 'react-router'/,
  /\bimport \{[^}]*\b((?:unstable_)?(?:ViewTransition|addTransitionType))\b[^}]*\} from 'react'/,
  /<Fragment\b[^>]* (ref)=/,
  /^ *(?:<(?:Nav)?Link\b.* )?(prefetch|viewTransition|mask)(?:[= />]|$)/m,
];

/** Calls without an effect, marked as such: the bundler then drops what they make where nobody uses it. */
const PURE = /\bReact\$1\.(?:createContext|forwardRef|memo)\(/g;

type Span = { start: number; end: number };

/** Leaves the parts of React and React Router that never run out of the scripts for browsers. */
export function unusedParts(): Plugin[] {
  const common = {
    apply: 'build',
    applyToEnvironment: (environment: { name: string }) => environment.name === 'client',
  } as const;
  return [
    {
      ...common,
      name: 'ceku-unused-parts',
      transform: {
        filter: { id: PLACE },
        handler: (code, id) => ({ code: withoutParts(code, PLACE.exec(id)?.[1] ?? ''), map: null }),
      },
    },
    {
      ...common,
      name: 'ceku-used-parts',
      // Before React Router takes the server's exports out of a page.
      enforce: 'pre',
      transform: {
        filter: { id: /\/src\/.+\.tsx?$/ },
        handler(code, id) {
          const used = findLeftOut(code);
          if (used) throw new Error(`${id} uses ${used}, which the scripts for browsers leave out (unused-parts.ts).`);
        },
      },
    },
  ];
}

/** Returns the name of a part that is left out, where a module of ours uses one. */
export function findLeftOut(code: string): string | undefined {
  return LEFT_OUT.map((use) => use.exec(code)?.[1]).find(Boolean);
}

/**
 * Returns a module of React or React Router without its unused parts, and without the advice to developers, which they get from the development
 * server. What only these parts used is dropped by the bundler. Throws when a release words a part otherwise.
 */
export function withoutParts(code: string, module: string): string {
  const { replaced = [], dropped = [] }: Parts = PARTS[module] ?? {};
  const decided = replaced.reduce((made, [part, outcome]) => {
    if (!made.includes(part)) throw missing(module, part);
    return made.replaceAll(part, outcome);
  }, code);
  const { statements, advice } = listNodes(decided, module);
  const beginsSo = ({ start }: Span) => dropped.find((part) => decided.startsWith(part, start));
  const used = new Set(statements.map(beginsSo));
  for (const part of dropped) if (!used.has(part)) throw missing(module, part);
  const unused = statements.filter((span) => beginsSo(span) || ADVICE.test(decided.slice(span.start, span.end)));
  // An empty statement, where the statement was the only one behind a condition.
  const cuts = [...unused.map((span) => ({ ...span, left: ';' })), ...advice.map((span) => ({ ...span, left: '' }))];
  let made = '';
  let at = 0;
  for (const { start, end, left } of cuts.toSorted((one, two) => one.start - two.start)) {
    // Inside of what is cut already.
    if (start < at) continue;
    made += decided.slice(at, start) + left;
    at = end;
  }
  return (made + decided.slice(at)).replaceAll(PURE, '/* @__PURE__ */ $&');
}

function missing(module: string, part: string): Error {
  return new Error(`${module} does not contain "${part}" any more.`);
}

/** Returns all statements of a module, the inner ones and methods too, and the messages of its invariants. */
function listNodes(code: string, module: string): { statements: Span[]; advice: Span[] } {
  const { program, errors } = parseSync(module, code);
  if (errors.length > 0) throw new Error(`${module} does not parse: ${errors[0]?.message}`);
  const statements: Span[] = [];
  const advice: Span[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    if (isNode(node)) {
      if (/Statement$|^VariableDeclaration$|^MethodDefinition$/.test(node.type)) statements.push(node);
      const message = /^(?:UNSAFE_)?invariant\(/.test(code.slice(node.start, node.end)) && lastArgument(node);
      if (message) advice.push(message);
    }
    Object.values(node).forEach(visit);
  };
  visit(program.body);
  return { statements, advice };
}

function isNode(node: object): node is Span & { type: string } {
  return 'type' in node && typeof node.type === 'string' && 'start' in node && 'end' in node;
}

/** Returns the second argument of a call with the comma before it. */
function lastArgument(node: object): Span | null {
  if (!('type' in node && node.type === 'CallExpression' && 'arguments' in node)) return null;
  if (!Array.isArray(node.arguments) || node.arguments.length !== 2) return null;
  const [first, second]: { start: number; end: number }[] = node.arguments;
  return first && second ? { start: first.end, end: second.end } : null;
}
