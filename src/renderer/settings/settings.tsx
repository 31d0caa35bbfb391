import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../language/texts.ts';
import { LateServers, LateSkills } from '../lazy/late-extensions.ts';
import { Icon } from '../mark/icon.tsx';
import { go, useRoute } from '../state/route.ts';
import { useHost, useRooms } from '../state/subscriptions.ts';
import { UsagePanel } from '../usage/usage-panel.tsx';
import { AboutCard } from './about-card.tsx';
import { AgentContactsCard } from './agent-contacts-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { BackupCards } from './backup-cards.tsx';
import { BridgeCard } from './bridge-card.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { DemoCard } from './demo-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { DoctorCard } from './doctor-card.tsx';
import { FingerprintCard } from './fingerprint-card.tsx';
import { GeneralCards } from './general-cards.tsx';
import { LicencesCard } from './licences-card.tsx';
import { LoginsCard } from './logins-card.tsx';
import { LookCard } from './look-card.tsx';
import { ModelsCard } from './models-card.tsx';
import { NotifyCards } from './notify-cards.tsx';
import { ArchiveCard, SenderLimitCard } from './number-card.tsx';
import { PolicyCard } from './policy-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { ProxyCard } from './proxy-card.tsx';
import { RelayCard } from './relay-card.tsx';
import { SessionCard } from './session-card.tsx';
import { partHash, partIn, partsFor, type SettingsPart } from './settings-parts.ts';
import { VaultCard } from './vault-card.tsx';

export function Settings() {
  const part = useRoute(({ route }) => partIn(route.view === 'settings' ? route.section : null));
  return (
    <div className="page settings">
      <header className="page-head">
        <h1>{t('settings.title')}</h1>
      </header>
      <div className="settings-panes">
        <PartsList now={part} />
        <div className="settings-stack" key={part}>
          <Part part={part} />
        </div>
      </div>
    </div>
  );
}

/** On a narrow screen the sections are one row that scrolls. */
const showInRow = (link: HTMLElement | null): void =>
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });

function PartsList({ now }: { now: SettingsPart }) {
  const [text, setText] = useState('');
  const found = partsFor(text);
  const openFirst = (event: FormEvent): void => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) go({ view: 'settings', section: first });
  };
  return (
    <nav className="settings-nav" aria-label={t('settings.parts')}>
      <form className="search" onSubmit={openFirst}>
        <Icon name="search" size={16} />
        <input
          type="search"
          aria-label={t('settings.find')}
          placeholder={t('settings.find')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      {found.length === 0 && (
        <p className="soft" role="status">
          {t('settings.noneFound')}
        </p>
      )}
      <ul>
        {found.map((part) => (
          <li key={part}>
            <a
              href={partHash(part)}
              aria-current={part === now ? 'page' : undefined}
              ref={part === now ? showInRow : null}
            >
              {t(`settings.${part}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Part({ part }: { part: SettingsPart }) {
  switch (part) {
    case 'general':
      return (
        <>
          <GeneralCards />
          <ArchiveCard />
        </>
      );
    case 'profile':
      return (
        <OnlyJoined>
          <ProfileCard />
        </OnlyJoined>
      );
    case 'notifications':
      return <NotifyCards />;
    case 'appearance':
      return <LookCard />;
    case 'models':
      return (
        <>
          <ModelsCard />
          <LoginsCard />
          <ProxyCard />
        </>
      );
    case 'mcp':
      return <LateServers agent={null} />;
    case 'skills':
      return <LateSkills agent={null} />;
    case 'budget':
      return (
        <>
          <SpendingCard />
          <SenderLimitCard />
        </>
      );
    case 'rules':
      return <PolicyCard />;
    case 'bridge':
      return <BridgeCard />;
    case 'server':
      return <RelayCard />;
    case 'devices':
      return (
        <OnlyJoined>
          <DevicesCard />
          <FingerprintCard />
        </OnlyJoined>
      );
    case 'people':
      return (
        <OnlyJoined>
          <ContactsCard />
          <AgentContactsCard />
        </OnlyJoined>
      );
    case 'security':
      return (
        <>
          <VaultCard />
          <SessionCard />
          <AuditCard />
        </>
      );
    case 'backup':
      return <BackupCards />;
    case 'doctor':
      return <DoctorCard />;
    case 'about':
      return (
        <>
          <AboutCard />
          <DemoCard />
          <LicencesCard />
        </>
      );
  }
}

/** Renders content that needs an account at a server, or a note that one is missing. */
function OnlyJoined({ children }: { children: ReactNode }) {
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  return joined ? children : <p className="card soft">{t('contacts.notJoined')}</p>;
}

function SpendingCard() {
  const spent = useHost((host) => host?.spentToday.tokens ?? 0);
  return (
    <section className="settings-wide" aria-labelledby="spending-title">
      <h2 id="spending-title">{t('settings.budget')}</h2>
      <UsagePanel agent={null} spent={spent} />
    </section>
  );
}
