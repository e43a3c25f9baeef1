import { auditPage } from "./admin/audit.tsx";
import { callsPage } from "./admin/calls-page.tsx";
import { erasureFoundPage, erasurePage } from "./admin/erasure-pages.tsx";
import { modelPage } from "./admin/model-page.tsx";
import { overviewPage } from "./admin/overview-page.tsx";
import { runsPage } from "./admin/runs-page.tsx";
import { settingsPage } from "./admin/settings-page.tsx";
import { sourcesPage } from "./admin/sources.tsx";
import { suggestionsPage } from "./admin/suggestions-page.tsx";
import { comparePage } from "./developer/compare-page.tsx";
import { analysisPage, developerPage } from "./developer/developer-page.tsx";
import { everythingPage, identityPage } from "./developer/keeping-pages.tsx";
import type { Page } from "./page.ts";
import { accountPage } from "./pages/account.tsx";
import { accountsPage } from "./pages/accounts.tsx";
import { apiPage } from "./pages/api.tsx";
import { assistantsPage } from "./pages/assistants.tsx";
import { consentPage, deadEndPage } from "./pages/consent.tsx";
import { homePage } from "./pages/home.tsx";
import { invitationPage, resetPage, setUpPage } from "./pages/link-pages.tsx";
import { savedPage } from "./pages/saved.tsx";
import { listPage, savedSearchPage } from "./pages/saved-one.tsx";
import { securityPage } from "./pages/security.tsx";
import { signInPage, signOutPage, signUpPage } from "./pages/sign-in.tsx";
import { usagePage } from "./pages/usage.tsx";
import { peopleCsvPage, peopleJsonPage } from "./search/downloads.ts";
import { findPage } from "./search/find-page.tsx";
import { termsPage } from "./search/terms.ts";
import { knowersCsvPage, whoPage } from "./who/who-page.tsx";

/** All pages, as the route table. A test opens each one signed out, as a user and as an administrator. */
export const pages: readonly Page[] = [
  homePage,
  findPage,
  whoPage,
  knowersCsvPage,
  developerPage,
  analysisPage,
  comparePage,
  identityPage,
  everythingPage,
  peopleCsvPage,
  peopleJsonPage,
  termsPage,
  savedPage,
  listPage,
  savedSearchPage,
  signInPage,
  signUpPage,
  setUpPage,
  invitationPage,
  resetPage,
  signOutPage,
  consentPage,
  deadEndPage,
  usagePage,
  apiPage,
  assistantsPage,
  securityPage,
  overviewPage,
  runsPage,
  suggestionsPage,
  modelPage,
  settingsPage,
  callsPage,
  erasurePage,
  erasureFoundPage,
  accountsPage,
  accountPage,
  auditPage,
  sourcesPage,
] as readonly Page[];
