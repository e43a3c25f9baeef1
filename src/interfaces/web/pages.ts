import { apiPage } from "./account/api-key-page.tsx";
import { assistantsPage } from "./account/assistants-page.tsx";
import { usagePage } from "./account/call-history.tsx";
import { securityPage } from "./account/security-page.tsx";
import { accountPage, accountsPage } from "./admin/accounts-page.tsx";
import { auditPage } from "./admin/audit-page.tsx";
import { decisionsPage } from "./admin/decisions-page.tsx";
import { erasureFoundPage, erasurePage } from "./admin/erasure-pages.tsx";
import { modelPage } from "./admin/model-page.tsx";
import { overviewPage } from "./admin/overview-page.tsx";
import { runsPage } from "./admin/runs-page.tsx";
import { settingsPage } from "./admin/settings-page.tsx";
import { sourceFoundPage, sourcePage, sourcesPage } from "./admin/sources-page.tsx";
import { suggestionsPage } from "./admin/suggestions-page.tsx";
import { callsPage } from "./admin/usage-page.tsx";
import { webhooksPage } from "./admin/webhooks-page.tsx";
import { everythingPage, identityPage } from "./developer/administrator-pages.tsx";
import { comparePage } from "./developer/compare-page.tsx";
import { analysisPage, developerPage } from "./developer/developer-page.tsx";
import { docsPage } from "./docs/docs-page.tsx";
import type { Page } from "./page.ts";
import { listPage } from "./saved/list-page.tsx";
import { addPage, savedPage } from "./saved/saved-page.tsx";
import { savedSearchPage } from "./saved/saved-search-page.tsx";
import { confirmMailPage } from "./saved/search-mail.tsx";
import { namesPage, termsPage, whoTermsPage } from "./search/completion-pages.ts";
import { findPage } from "./search/find-page.tsx";
import { homePage } from "./search/home-page.tsx";
import { peopleCsvPage, peopleJsonPage, selectedCsvPage } from "./search/people-downloads.tsx";
import { newsPage } from "./search/search-page.tsx";
import { consentPage, deadEndPage } from "./sign-in/consent-pages.tsx";
import { invitationPage, resetPage, setUpPage } from "./sign-in/link-pages.tsx";
import { signInPage, signOutPage, signUpPage } from "./sign-in/sign-in-pages.tsx";
import { reviewPage } from "./who/change-review.tsx";
import { everybodyPage, handoverCsvPage, knowersCsvPage } from "./who/everybody-page.tsx";
import { whoPage } from "./who/who-page.tsx";

/** All pages, each with its route. A test opens each page signed out, as a user and as an administrator. */
export const pages: readonly Page[] = [
  ...[homePage, findPage, namesPage, newsPage, docsPage, usagePage, apiPage, assistantsPage],
  ...[whoPage, reviewPage, handoverCsvPage, everybodyPage, knowersCsvPage, whoTermsPage],
  ...[developerPage, analysisPage, comparePage, identityPage, everythingPage],
  ...[peopleCsvPage, peopleJsonPage, selectedCsvPage, termsPage, savedPage, addPage, listPage],
  ...[savedSearchPage, signInPage, signUpPage, setUpPage, invitationPage, resetPage, signOutPage],
  ...[confirmMailPage, consentPage, deadEndPage, securityPage],
  ...[overviewPage, runsPage, suggestionsPage, decisionsPage, modelPage, settingsPage, callsPage],
  ...[erasurePage, erasureFoundPage, accountsPage, accountPage, auditPage],
  ...[sourcesPage, sourceFoundPage, sourcePage, webhooksPage],
] as readonly Page[];
