// A lint plugin: a comment that disables a check must give its reason on the same line, after " --
// ". The rule typescript/ban-ts-comment requires the same of TypeScript's own comments.

const suppression = /^\s*(?:(?:eslint|oxlint)-disable|(?:oxfmt|prettier)-ignore|(?:v8|c8) ignore)/;
const reason = / -- \S.{9}/;

type Comment = { value: string };
type Context = {
  sourceCode: { getAllComments: () => Comment[] };
  report: (problem: { node: Comment; message: string }) => void;
};

const requireReason = {
  create: (context: Context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (!suppression.test(comment.value) || reason.test(comment.value)) continue;
        const message = 'Say why this check is switched off, on this line: "-- the reason".';
        context.report({ node: comment, message });
      }
    },
  }),
};

export default { meta: { name: 'suppressions' }, rules: { 'require-reason': requireReason } };
