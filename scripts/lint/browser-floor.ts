// A lint plugin: code that runs in browsers uses only what the oldest supported browsers have, or
// what `components/ui/rendering/add-missing-methods.ts` adds.
import { iteratorMethods, newClasses, newMethods, newStatics } from '../browser/new-features.ts';

type Node = { type: string; name?: string; callee?: Node; object?: Node; property?: Node };
type Context = { report: (problem: { node: Node; message: string }) => void };

const added = new Set(['Map.groupBy', 'Promise.withResolvers', 'toReversed', 'toSorted']);
const newNames = new Set(newMethods.map(({ name }) => name));
const givesIterator = new Set(['entries', 'keys', 'matchAll', 'values']);

const supported = {
  create({ report }: Context) {
    function refuse(node: Node, name: string) {
      const message = `The oldest supported browsers (README.md) do not have ${name}.`;
      report({ node, message });
    }
    return {
      MemberExpression(node: Node) {
        const name = `${node.object?.name}.${node.property?.name}`;
        if (newStatics.has(name) && !added.has(name)) refuse(node, name);
      },
      NewExpression({ callee }: Node) {
        if (callee?.name !== undefined && newClasses.has(callee.name)) refuse(callee, callee.name);
      },
      CallExpression({ callee }: Node) {
        const name = callee?.property?.name;
        if (callee === undefined || name === undefined) return;
        if (added.has(name) || added.has(`${callee.object?.name}.${name}`)) return;
        // z.union() makes a schema.
        const isNew = newNames.has(name) && callee.object?.name !== 'z';
        if (isNew || (iteratorMethods.has(name) && isIterator(callee.object))) refuse(callee, name);
      },
    };
  },
};

/** `map.values()`, but not `Object.values(map)`, which is an array. */
function isIterator(node: Node | undefined): boolean {
  const callee = node?.callee;
  return givesIterator.has(callee?.property?.name ?? '') && callee?.object?.name !== 'Object';
}

export default { meta: { name: 'browser-floor' }, rules: { supported } };
