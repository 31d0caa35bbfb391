import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { connectionWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact } from '../parts/fact.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useHost } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';
import { InviteCode } from './invite-code.tsx';

type Relay = MethodOutput<'relay.status'>;

export function RelayCard() {
  const { value: relay, error } = useRead('relay.status');
  return (
    <>
      <section className="card stack" aria-labelledby="relay-title">
        <h2 id="relay-title">{t('upkeep.relay')}</h2>
        <ErrorNote error={error} />
        {relay === null && error === null && <Skeleton words={t('settings.reading')} shape="text" />}
        {relay !== null && <Facts relay={relay} />}
      </section>
      {relay?.url != null && <InviteCode />}
      {relay !== null && relay.people.length > 0 && <People relay={relay} />}
    </>
  );
}

function Facts({ relay }: { relay: Relay }) {
  const slug = useHost((host) => host?.operator?.slug ?? null);
  const serverUrl = useHost((host) => host?.operator?.serverUrl ?? null);
  const connection = useHost((host) => host?.operator?.connection ?? 'none');
  if (!relay.embedded && serverUrl === null) return <p>{t('upkeep.relayNone')}</p>;
  const address = relay.url ?? serverUrl;
  const mode = relay.embedded ? (relay.url === null ? 'relayOwnRest' : 'relayOwn') : 'relayOther';
  return (
    <>
      <dl className="facts-list">
        <Fact name={t('upkeep.relayMode')}>{t(`upkeep.${mode}`)}</Fact>
        {address !== null && (
          <Fact name={t('upkeep.relayAddress')}>
            <code className="path">{visibleLine(address)}</code>
            <CopyButton label={t('upkeep.copyAddress')} text={address} />
          </Fact>
        )}
        {slug !== null && (
          <Fact name={t('upkeep.relayYou')}>
            <Name>{`@${slug}`}</Name>
          </Fact>
        )}
        {slug !== null && <Fact name={t('upkeep.relayState')}>{connectionWords(connection)}</Fact>}
        {relay.embedded && <Fact name={t('upkeep.relaySize')}>{bytesWords(relay.bytes)}</Fact>}
        {relay.url !== null && <Fact name={t('upkeep.relayLines')}>{relay.connections}</Fact>}
      </dl>
      <p className="soft">{t('upkeep.relaySees')}</p>
    </>
  );
}

function People({ relay: { people } }: { relay: Relay }) {
  const title = t('upkeep.relayPeople', { n: people.length });
  return (
    <div className="card stack">
      <h2>{title}</h2>
      <ScrollRegion className="licence-list" label={title}>
        <ul className="logins">
          {people.map(({ slug, displayName, agent }) => (
            <li key={slug}>
              <p>
                <strong>
                  <Name>{displayName}</Name>
                </strong>{' '}
                <span className="soft">
                  <Name>{`@${slug}`}</Name>
                </span>
              </p>
              {agent && <span className="chip">{t('upkeep.relayAgent')}</span>}
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}
