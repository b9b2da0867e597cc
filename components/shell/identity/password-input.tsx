import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Input, type InputProps } from '#components/ui/inputs/input.tsx';

type PasswordInputProps = Omit<InputProps, 'type' | 'className'>;

/** A password with a button that shows what was typed. */
export function PasswordInput(props: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pr-11 max-sm:pr-12 pointer-coarse:pr-12"
      />
      <IconButton
        label={isShown ? 'Hide password' : 'Show password'}
        icon={isShown ? <EyeOff /> : <Eye />}
        onClick={() => setIsShown(!isShown)}
        className="absolute top-1/2 right-1.5 -translate-y-1/2 max-sm:right-0 pointer-coarse:right-0"
      />
    </div>
  );
}
