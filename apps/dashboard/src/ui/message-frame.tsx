import { useEffect, useRef, useState } from 'react';
import { Button } from './button';
import styles from './ui.module.css';

const HAS_REMOTE = /(?:src|background)\s*=\s*(?:["']\s*)?(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\//i;

/** A message that names no font is shown as most mail programs show it. Its own styles count more. */
const DEFAULTS = '<base target="_blank"><style>:where(body){font-family:Arial,Helvetica,sans-serif}</style>';

export type FrameWidth = 'phone' | 'desktop';

const NAMES: Record<FrameWidth, string> = { phone: 'Phone', desktop: 'Desktop' };

type WidthButtonsProps = { order?: FrameWidth[]; width: FrameWidth; onChange(width: FrameWidth): void };

/** Choose how wide a message is shown. */
export const WidthButtons = ({ order = ['phone', 'desktop'], width, onChange }: WidthButtonsProps) =>
  order.map((each) => (
    <Button key={each} className={styles['width']} aria-pressed={width === each} onClick={() => onChange(each)}>
      {NAMES[each]}
    </Button>
  ));

/**
 * The HTML of a message, in a frame without scripts of the message, without the origin of this page and
 * without remote content until it is asked for: a remote picture tells its sender that the message was opened. The
 * gateway serves the frame with a separate content security policy, because a frame without an address would have
 * that of this page, which allows no styles of messages.
 */
export function MessageFrame({ html, title, width }: { html: string; title: string; width?: number }) {
  const [allowed, setAllowed] = useState<string>();
  const frame = useRef<HTMLIFrameElement>(null);
  const isAllowed = allowed === html;
  // The frame has no origin that the message could name.
  const show = () => frame.current?.contentWindow?.postMessage(DEFAULTS + html, '*');
  useEffect(() => void show());
  return (
    <div className={styles['stack']}>
      {HAS_REMOTE.test(html) && !isAllowed && (
        <div>
          <Button onClick={() => setAllowed(html)}>Load remote images</Button>
        </div>
      )}
      <iframe
        key={String(isAllowed)}
        ref={frame}
        className={styles['frame']}
        title={title}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src={isAllowed ? '/message-frame?images=remote' : '/message-frame'}
        onLoad={show}
        height={520}
        style={width ? { width, maxWidth: '100%' } : undefined}
      />
    </div>
  );
}
