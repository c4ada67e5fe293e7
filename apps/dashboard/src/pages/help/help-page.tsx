import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { HELP_PATH } from '../../shell/pages';
import { ButtonLink } from '../../ui/button';
import { Empty, Page, PageSkeleton } from '../../ui/page';
import styles from './help.module.css';
import type { HelpDocument } from './markdown';

const FOLDER = '../../../../../docs';
/** Each document is a separate chunk, loaded when it is read. */
const DOCUMENTS = import.meta.glob<HelpDocument>('../../../../../docs/**/*.md', { import: 'default' });

/** A document of the repository. The build has rendered it, so no text of a tenant is in it. */
export function HelpPage() {
  const { _splat: name } = useParams({ strict: false }) as { _splat?: string };
  const navigate = useNavigate();
  const { hash } = useLocation();
  const load = DOCUMENTS[`${FOLDER}/${name || 'README'}.md`];
  const { data } = useQuery({
    queryKey: ['help', name],
    queryFn: () => load!(),
    enabled: load !== undefined,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (data && hash) document.getElementById(decodeURIComponent(hash))?.scrollIntoView();
  }, [data, hash]);
  /** Links between documents stay in this page. */
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
    if (!href.startsWith('/help/') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ href });
  };
  const links = (
    <>
      {name && <ButtonLink to="/help/$">All documents</ButtonLink>}
      <a href={HELP_PATH}>API reference</a>
    </>
  );
  if (!load) {
    return (
      <Page title="Help" actions={links}>
        <Empty title="There is no such document">It may have another name in this version.</Empty>
      </Page>
    );
  }
  if (!data) return <PageSkeleton />;
  return (
    <Page title={data.title} actions={links}>
      <article className={styles['document']} onClick={follow} dangerouslySetInnerHTML={{ __html: data.html }} />
    </Page>
  );
}
