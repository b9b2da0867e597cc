import { useUnsavedGuard } from '../leaving/use-leave-form.ts';
import { FormFailure } from './form-failure.tsx';
import { FormLayout, type FormLayoutProps } from './form-layout.tsx';

type EditFormProps = Pick<FormLayoutProps, 'form' | 'children' | 'summary'> & {
  /** What is edited: "key". */
  noun: string;
  /** Whether there is nothing to save. */
  isUntouched: boolean;
  /** The page of what is edited. */
  href: string;
};

/** A form that changes something that exists. */
export function EditForm({ noun, isUntouched, href, ...layout }: EditFormProps) {
  const { failure } = layout.form;
  useUnsavedGuard(!isUntouched);
  return (
    <FormLayout
      {...layout}
      submit="Save changes"
      disabledReason={isUntouched ? 'There are no changes to save.' : undefined}
      cancelHref={href}
      failure={
        failure && (
          <FormFailure
            noun={noun}
            did="changed"
            failure={failure}
            adviceIfUnknown="Saving again is safe."
          />
        )
      }
    />
  );
}
