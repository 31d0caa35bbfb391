import type { HostPart } from '../../host-part.ts';

export const approvals: HostPart<'approvals'> = {
  auditLogUnavailable: 'Das Protokoll ließ sich gerade nicht lesen.',
  invalidAnswerScope: '„{scope}“ ist hier keine mögliche Antwort. Nichts wurde entschieden.',
  invalidShare: 'Das lässt sich nicht teilen. Nichts wurde geändert.',
  askSmallerParts: 'Lehne ab und verlange kleinere Teile.',
  runApprovalsList: '„kennel approvals list“ zeigt alle Fragen.',
  lookAgain: 'Sieh es dir noch einmal an und antworte dann.',
  answerInWindow: 'Lies alles im Fenster oder mit „kennel approvals show {id}“ und antworte dort.',
  noQuestionsYet: 'Diese Frage gibt es nicht. Hier wurde noch nie eine Frage gestellt.',
  unknownQuestion: 'Diese Frage gibt es nicht.',
  unknownStandingAnswer: 'Diese dauerhafte Antwort gibt es nicht. Nichts wurde geändert.',
  questionTooLarge: '{tooLarge} Nichts wurde entschieden.',
  ambiguousQuestion: 'Mehr als eine Frage beginnt mit „{id}“.',
  allowOrDenyOnly: 'Diese Frage lässt sich nur erlauben oder ablehnen. Nichts wurde entschieden.',
  workflowAnswersOnly: 'Andere Antworten nehmen nur Fragen von Abläufen.',
  ownRoomNotHeld: 'Diesen Raum liest nur du, also wird nichts zurückgehalten. Nichts wurde geändert.',
  runUnlock: 'Entsperre sie auf der Startseite.',
  secretsLocked: 'Deine Geheimnisse sind gesperrt, also kann nichts gefragt oder beantwortet werden.',
  shareableItems:
    'Teile workspace, notes, tasks, workflows, settings, chat oder die Nachrichten eines Raums: #kanal oder @person.',
  questionChanged: 'Was gezeigt wurde, ist nicht das, was jetzt wartet. Nichts wurde entschieden.',
  tryAgainSoon: 'Versuch es gleich noch einmal. Die Frage wartet noch.',
  workflowsUnavailable: 'Abläufe laufen gerade nicht, also wurde nichts entschieden.',
  chatYesIgnored: '{notWhole}; ein Ja im Chat zählt deshalb nicht. Die Frage wartet weiter.',
};
