import { useState } from 'react';
import { Button } from './button';
import styles from './ui.module.css';

/** Nothing may run or be loaded, except pictures when a person has asked for them. */
const policy = (images: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; font-src data:; form-action 'none'; base-uri 'none'`;

const LOCAL = 'data:';
const REMOTE = 'data: http: https:';
const HAS_REMOTE = /(?:src|background)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\//i;

/**
 * HTML that was sent to somebody, in a frame without scripts, without the origin of this page and without remote
 * content until it is asked for: a remote picture tells its sender that the message was opened.
 */
export function MessageFrame({ html, title, width }: { html: string; title: string; width?: number }) {
  const [allowed, setAllowed] = useState<string>();
  const isAllowed = allowed === html;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy(isAllowed ? REMOTE : LOCAL)}"><base target="_blank">`;
  return (
    <div className={styles['stack']}>
      {HAS_REMOTE.test(html) && !isAllowed && (
        <div>
          <Button onClick={() => setAllowed(html)}>Load remote images</Button>
        </div>
      )}
      <iframe
        key={String(isAllowed)}
        className={styles['frame']}
        title={title}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={`<!doctype html><meta charset="utf-8">${head}${html}`}
        height={520}
        style={width ? { width, maxWidth: '100%' } : undefined}
      />
    </div>
  );
}
