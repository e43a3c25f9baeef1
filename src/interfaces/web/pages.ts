import { accountPage } from "./admin/account.tsx";
import { accountsPage } from "./admin/accounts.tsx";
import { auditPage } from "./admin/audit.tsx";
import { forgetOnePage, forgetPage } from "./admin/forget-page.tsx";
import { overviewPage } from "./admin/overview-page.tsx";
import { runsPage } from "./admin/runs-page.tsx";
import { sourcesPage } from "./admin/sources.tsx";
import type { Page } from "./page.ts";
import { apiPage } from "./pages/api.tsx";
import { assistantsPage } from "./pages/assistants.tsx";
import { consentPage, deadEndPage } from "./pages/consent.tsx";
import { homePage } from "./pages/home.tsx";
import { invitationPage, resetPage, setUpPage } from "./pages/link-pages.tsx";
import { securityPage } from "./pages/security.tsx";
import { signInPage, signOutPage, signUpPage } from "./pages/sign-in.tsx";
import { usagePage } from "./pages/usage.tsx";

/** All pages, as the route table. A test opens each one signed out, as a user and as an administrator. */
export const pages: readonly Page[] = [
  homePage,
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
  forgetPage,
  forgetOnePage,
  accountsPage,
  accountPage,
  auditPage,
  sourcesPage,
] as readonly Page[];
