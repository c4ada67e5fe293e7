import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Loaded, Page } from '../../ui/page';
import { environmentQuery } from './data';
import { GroupView } from './group-view';
import { TranslationList } from './translation-list';

export function TranslationsPage() {
  const { type, id } = useSearch({ from: '/signed-in/translations' });
  const environment = useQuery(environmentQuery());
  if (environment.data && !(type && id)) return <TranslationList defaultLocale={environment.data.defaultLocale} />;
  return (
    <Page title="Translations">
      <Loaded query={environment} lines={5}>
        {({ defaultLocale }) =>
          type &&
          id && (
            <GroupView
              key={`${type} ${id}`}
              resource={{ resourceType: type, resourceId: id }}
              defaultLocale={defaultLocale}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
