import type { HostPart } from '../../host-part.ts';

export const approvals: HostPart<'approvals'> = {
  auditLogNotRead: 'Das Protokoll ließ sich gerade nicht lesen.',
  cannotAnswered: '„{scope}“ ist hier keine mögliche Antwort. Nichts wurde entschieden.',
  cannotShared: 'Das lässt sich nicht teilen. Nichts wurde geändert.',
  denyAskSmallerParts: 'Lehne ab und verlange kleinere Teile.',
  listKennelApprovalsList: '„kennel approvals list“ zeigt alle Fragen.',
  lookAgainAnswer: 'Sieh es dir noch einmal an und antworte dann.',
  lookAllWindowKennel:
    'Sieh sie dir im Fenster oder mit „kennel approvals show {id}“ ganz an und antworte dort.',
  noQuestionsYet: 'Diese Frage gibt es nicht: Hier wurde noch nie jemand gefragt.',
  noSuchQuestion: 'Diese Frage gibt es nicht.',
  noSuchStandingAnswer: 'Diese dauerhafte Antwort gibt es nicht. Nichts wurde geändert.',
  nothingDecided: '{tooLarge} Nichts wurde entschieden.',
  questionBegins: 'Mehr als eine Frage beginnt mit „{id}“.',
  questionTakesAllowDeny: 'Diese Frage lässt sich nur erlauben oder ablehnen. Nichts wurde entschieden.',
  questionsWorkflowsAloneTake: 'Andere Antworten nehmen nur Fragen von Abläufen.',
  readNothingHeldBack: 'Dort liest nur du, also wird nichts zurückgehalten. Nichts wurde geändert.',
  runKennelUnlock: 'Entsperre sie auf der Startseite.',
  secretsLockedNothingAsked:
    'Deine Geheimnisse sind gesperrt, also kann nichts gefragt oder beantwortet werden.',
  shareWorkspaceNotesTasks:
    'Teile workspace, notes, tasks, workflows, settings, chat oder die Nachrichten eines Raums: #kanal oder @person.',
  shownNotWaits: 'Was gezeigt wurde, ist nicht das, was jetzt wartet. Nichts wurde entschieden.',
  tryAgainMoment: 'Versuch es gleich noch einmal, die Frage wartet noch.',
  workflowsNotRunNothing: 'Abläufe laufen gerade nicht, also wurde nichts entschieden.',
  yesChatNotCount: '{notWhole}; ein Ja im Chat zählt deshalb nicht. Die Frage wartet weiter.',
};
