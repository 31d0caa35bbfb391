import type { HostPart } from '../../host-part.ts';

export const executors: HostPart<'executors'> = {
  subprocessOk: 'Programme laufen mit deinen Rechten, ohne Abschottung.',
  notAllowed: 'Programme ohne Abschottung sind hier nicht erlaubt.',
  allowUnsandboxed: 'Setze shell.unsandboxed in agent.yml oder wähle einen anderen Executor.',
  sandboxOk: 'bubblewrap funktioniert: {program}.',
  sandboxOnLinux: 'Die Sandbox gibt es nur unter Linux.',
  chooseContainer: 'Wähle den Executor container.',
  sandboxMissing: 'bubblewrap ist nicht installiert.',
  installSandbox: 'Installiere das Paket bubblewrap.',
  namespacesBlocked:
    'Auf diesem System dürfen deine Programme keine User-Namespaces anlegen; bubblewrap braucht sie.',
  allowNamespaces: 'Setze als Administrator {setting} in /etc/sysctl.d oder wähle den Executor container.',
  appArmorBlocks: 'AppArmor lässt bubblewrap keine User-Namespaces anlegen.',
  addProfile:
    'Gib /usr/bin/bwrap als Administrator ein AppArmor-Profil mit der Regel „userns“ oder setze kernel.apparmor_restrict_unprivileged_userns=0.',
  sandboxFailed: 'bubblewrap funktioniert auf diesem Computer nicht: {why}',
  runByHand: 'Führe „bwrap --ro-bind / / true“ in einem Terminal aus und behebe, was es meldet.',
  engineOk: '{engine} funktioniert und hat das Image {image}.',
  pullImage: 'Hole es mit „kennel images pull {image}“ oder wähle mit executor.image ein anderes.',
  gvisorOk: 'gVisor funktioniert: {program}.',
  gvisorMissing: 'gVisor ist nicht verfügbar: Das Programm runsc ist nicht installiert.',
  installGvisor: 'Installiere runsc (Debian: das Paket runsc) oder wähle den Executor sandbox.',
  gvisorFailed: 'gVisor ist nicht verfügbar: runsc startet kein Programm: {why}',
  chooseSandbox: 'Wähle den Executor sandbox.',
  microvmOk: 'microsandbox funktioniert: {program}.',
  microvmMissing: 'Micro-VMs sind nicht verfügbar: Das Programm msb von microsandbox ist nicht installiert.',
  installMicrovm: 'Installiere microsandbox, sodass msb im PATH ist, oder wähle den Executor sandbox.',
  noKvm: 'Micro-VMs sind nicht verfügbar: Auf diesem Computer fehlt {device}.',
  enableVirtualisation:
    'Schalte die Virtualisierung (VT-x oder AMD-V) in der Firmware ein oder die verschachtelte Virtualisierung auf dem Host dieser virtuellen Maschine.',
  kvmForbidden: 'Micro-VMs sind nicht verfügbar: Du darfst /dev/kvm nicht benutzen.',
  joinKvm: 'Nimm deinen Benutzer in die Gruppe kvm auf und melde dich neu an.',
  microvmFailed: 'Micro-VMs sind nicht verfügbar: {why}',
  notOpened: 'Der Executor {kind} wurde nicht gestartet: {why}',
  filesNotWritten: 'Die Dateien des Executors konnten nicht geschrieben werden: {why}',
  noBridge: 'Erlaubte Domains brauchen socat oder Node.js auf diesem Computer.',
  noDomains:
    'Der Executor {kind} kann Programme nicht vom Netz fernhalten; er nimmt keine Liste von Domains.',
  sessionClosed: 'Die Sitzung des Executors ist geschlossen.',
  noSnapshots: 'Diese Sitzung bewahrt keine Snapshots auf.',
  unknownScript:
    'Kein Programm ist bekannt, das {file} ausführt. Skripte enden auf .py, .js, .mjs, .cjs, .ts oder .sh.',
  notInWorkspace: '{file} ist keine Datei des Arbeitsordners.',
  invalidVariable: '{name} ist kein Name einer Variablen.',
};
