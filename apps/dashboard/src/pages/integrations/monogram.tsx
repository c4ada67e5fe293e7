import styles from './integrations.module.css';

const COLOURS = 6;

export function Monogram({ name }: { name: string }) {
  const [first = '', second = ''] = name.replaceAll(/[^\p{L}\p{N} ]/gu, '').split(' ');
  const letters = second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2);
  const colour = [...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % COLOURS;
  return (
    <span className={styles['monogram']} data-colour={colour} aria-hidden="true">
      {letters}
    </span>
  );
}
