import { Link, type LinkComponentProps } from '@tanstack/react-router';
import { type ButtonHTMLAttributes, type ReactNode, useRef } from 'react';
import { classes } from './classes';
import { Icon, type IconName } from './icon';
import { showToast } from './toasts';
import styles from './ui.module.css';

type Kind = 'primary' | 'danger' | 'plain';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: Kind;
  /** While the work of the button runs: it keeps the focus and does nothing. */
  isBusy?: boolean;
};

export function Button({ kind, isBusy = false, type = 'button', onClick, className, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes(styles['button'], kind && styles[kind], className)}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) return event.preventDefault();
        onClick?.(event);
      }}
    />
  );
}

export function ButtonLink({ kind, ...rest }: LinkComponentProps & { kind?: Kind }) {
  return <Link {...rest} className={classes(styles['button'], kind && styles[kind])} />;
}

type CopyButtonProps = {
  text: string | (() => string);
  /** Of a button that is a sign alone. */
  label?: string;
  children?: ReactNode;
};

export function CopyButton({ text, label, children }: CopyButtonProps) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      showToast('Copied.');
    } catch {
      showToast('The browser does not allow copying here: select the text instead.');
    }
  };
  if (!label) return <Button onClick={() => void copy()}>{children}</Button>;
  return (
    <SignButton icon="copy" className={styles['inText']} aria-label={label} title={label} onClick={() => void copy()} />
  );
}

/** A button that is a sign alone. */
export function SignButton({ icon, className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { icon: IconName }) {
  return (
    <button type="button" {...rest} className={classes(styles['sign'], className)}>
      <Icon name={icon} size={icon === 'close' ? 12 : 14} />
    </button>
  );
}

type FileButtonProps = {
  isBusy?: boolean;
  onFiles(files: File[]): void;
  children: ReactNode;
};

/** Chooses JSON files. */
export function FileButton({ isBusy = false, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button isBusy={isBusy} onClick={() => input.current!.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json"
        multiple
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file can be chosen again after it was changed.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}

/** Text that was sent or that a person will copy. It can be scrolled with the keyboard. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles['codeFrame']}>
      <pre className={styles['code']} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text}>Copy</CopyButton>
    </div>
  );
}
