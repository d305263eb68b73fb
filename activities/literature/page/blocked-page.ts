/**
 * Whether a page that came with status 200 is a barrier: block pages, cookie walls, "enable JavaScript", proofs of
 * work all parse as pages. Only short texts are judged: an article may well write about such barriers.
 */
export function isBarrier(title: string | null, text: string): boolean {
  if (text.length > MAX_BARRIER_CHARS) return false;
  return BARRIER_TITLES.test(title?.trim() ?? '') || BARRIER_WORDS.test(text);
}

const MAX_BARRIER_CHARS = 1_500;

const BARRIER_TITLES =
  /^(?:just a moment|attention required|access (?:to this page has been )?denied|access denied|are you a (?:robot|human)|security check|verifying|checking your browser|robot check|captcha|client challenge|bot verification|preparing to download|please wait|403 forbidden|sign in|log ?in|error 403)\b/i;

const BARRIER_WORDS =
  /preparing to download|checking (?:if the site connection is secure|your browser)|enable javascript|javascript is (?:disabled|required)|requires javascript|enable cookies|cookies are disabled|verify (?:that )?you are (?:a |not a )?(?:human|robot)|are you a robot|not a robot|unusual traffic|captcha|access (?:to this (?:page|site|resource) )?(?:has been |is )?denied|you (?:have been|are) blocked|request unsuccessful|ddos protection|sign in to (?:continue|view|read)|log in to (?:continue|view|read)|please (?:sign|log) in/i;
