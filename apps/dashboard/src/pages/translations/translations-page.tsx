import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { LoadError } from '../../ui/load-error';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { environmentQuery } from './data';
import { GroupView } from './group-view';
import { TranslationList } from './translation-list';

/** The texts of workflows and layouts in the languages of subscribers. */
export function TranslationsPage() {
  const { type, id } = useSearch({ from: '/signed-in/translations' });
  const environment = useQuery(environmentQuery());
  return (
    <Page title="Translations">
      {environment.isError && <LoadError error={environment.error} onRetry={() => void environment.refetch()} />}
      {environment.isPending && <Skeleton lines={5} />}
      {environment.data &&
        (type && id ? (
          <GroupView
            key={`${type} ${id}`}
            resource={{ resourceType: type, resourceId: id }}
            defaultLocale={environment.data.defaultLocale}
          />
        ) : (
          <TranslationList defaultLocale={environment.data.defaultLocale} />
        ))}
    </Page>
  );
}
