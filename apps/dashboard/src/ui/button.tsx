import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes } from 'react';
import { classes } from './classes';
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

/** A link to another page that looks like a button. */
export function ButtonLink({ kind, ...rest }: LinkComponentProps & { kind?: Kind }) {
  return <Link {...rest} className={classes(styles['button'], kind && styles[kind])} />;
}
