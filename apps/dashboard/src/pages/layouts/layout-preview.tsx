import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { type FrameWidth, MessageFrame, WidthButtons } from '../../ui/message-frame';
import { Alert, messageOf, Section, Skeleton } from '../../ui/page';
import styles from './layouts.module.css';

const PAUSE_MS = 400;
const PHONE_PIXELS = 360;

type LayoutPreviewProps = {
  layoutId: string;
  email: Schemas['LayoutEmailDto'];
  width: FrameWidth;
  onWidth(width: FrameWidth): void;
};

/** The layout around an example, rendered by the code that delivers. */
export function LayoutPreview({ layoutId, email, width, onWidth }: LayoutPreviewProps) {
  const [body, setBody] = useState(email.body);
  useEffect(() => {
    const timer = setTimeout(() => setBody(email.body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [email.body]);
  const { editorType } = email;
  const preview = useQuery({
    queryKey: ['layout-preview', layoutId, editorType, body],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/v2/layouts/{layoutId}/preview', {
          params: { path: { layoutId } },
          body: { controlValues: { email: { body, editorType } } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Preview" actions={<WidthButtons width={width} onChange={onWidth} />}>
      {preview.error ? (
        <Alert tone="bad">{messageOf(preview.error)}</Alert>
      ) : preview.data ? (
        <div className={styles['device']}>
          <MessageFrame
            title="Layout with an example"
            html={preview.data.result.preview.body}
            width={width === 'phone' ? PHONE_PIXELS : undefined}
          />
        </div>
      ) : (
        <Skeleton isBlock />
      )}
    </Section>
  );
}
