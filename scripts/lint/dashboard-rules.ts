// A lint plugin with rules for the dashboard.

type Attribute = { name?: { name?: string }; value?: { value?: string } | null };
type Element = { name: { name?: string }; attributes: Attribute[] };
type Statement = { directive?: string };
type Report = { report: (problem: { node: object; message: string }) => void };

const codeClass = /(^| )(code|code-micro|font-mono)( |$)/;
/** A translator does not read what these contain. */
const fields = ['input', 'textarea', 'Input', 'TextArea'];

/** A translator must not receive or change what programs read. */
const codeIsNotTranslated = {
  create: ({ report }: Report) => ({
    JSXOpeningElement(node: Element) {
      const valueOf = (name: string) =>
        node.attributes.find((attribute) => attribute.name?.name === name)?.value?.value;
      const tag = node.name.name ?? '';
      const isCode = tag === 'code' || codeClass.test(valueOf('className') ?? '');
      if (!isCode || fields.includes(tag) || valueOf('translate') === 'no') return;
      report({ node, message: 'Add translate="no": this is text for programs, or an ID.' });
    },
  }),
};

/** `Button` gives the reason to the pointer, the keyboard and screen readers. */
const disabledButtonSaysWhy = {
  create: ({ report }: Report) => ({
    JSXOpeningElement(node: Element) {
      if (node.name.name !== 'button') return;
      const names = node.attributes.map(({ name }) => name?.name ?? '');
      const isExplained = names.includes('aria-describedby') && !names.includes('disabled');
      if (isExplained || !names.some((name) => /^(aria-)?disabled$/.test(name))) return;
      report({ node, message: 'Use Button with a disabledReason: say why it is disabled.' });
    },
  }),
};

/**
 * An action within a function captures its variables. Next would send them to the browser,
 * encrypted with a key that processes must then share.
 */
const noActionInFunction = {
  create: ({ report }: Report) => ({
    BlockStatement(node: { body: Statement[] }) {
      if (!node.body.some(({ directive }) => directive === 'use server')) return;
      report({ node, message: 'Write the action in a file of lib/actions/, with arguments.' });
    },
  }),
};

export default {
  meta: { name: 'dashboard' },
  rules: {
    'code-is-not-translated': codeIsNotTranslated,
    'disabled-button-says-why': disabledButtonSaysWhy,
    'no-action-in-function': noActionInFunction,
  },
};
