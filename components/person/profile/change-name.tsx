'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { nameError } from '#components/shell/form/text-errors.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Section } from '#components/shell/page/section.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { renamePerson } from '#lib/actions/people/person.ts';
import type { Session } from '#lib/contract/people/sessions.ts';

export function ChangeName({ session }: { session: Session }) {
  const router = useRouter();
  const [isSaved, setIsSaved] = useState(false);
  const form = useForm({
    initial: { name: session.person.name },
    validate: (typed) => {
      const error = nameError(typed.name, 'Enter your name.');
      return error === null ? {} : { name: error };
    },
    send: (body) => renamePerson({ body }),
    onDone: () => {
      setIsSaved(true);
      router.refresh();
    },
  });

  return (
    <Section title="Name">
      <SectionForm
        form={form}
        notDone="Your name was not changed"
        unknown="We could not confirm whether your name was changed"
        submit="Save name"
        note="Members of all your accounts see it."
        success={isSaved && form.attributes.errorCount === 0 ? 'Your name was changed.' : null}
        className="max-w-90"
      >
        <Field label="Your name" error={form.errors.name}>
          <Input
            name="name"
            autoComplete="name"
            required
            value={form.values.name}
            onChange={(event) => {
              form.change({ name: event.target.value });
              setIsSaved(false);
            }}
          />
        </Field>
      </SectionForm>
    </Section>
  );
}
