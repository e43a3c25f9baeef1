import { apiPage } from "./account/api.tsx";
import { assistantsPage } from "./account/assistants.tsx";
import { securityPage } from "./account/security.tsx";
import { usagePage } from "./account/usage.tsx";
import { accountPage } from "./admin/account.tsx";
import { accountsPage } from "./admin/accounts.tsx";
import { auditPage } from "./admin/audit.tsx";
import { consentPage } from "./entry/consent.tsx";
import { deadEndPage } from "./entry/dead-end.tsx";
import { homePage } from "./entry/home.tsx";
import { invitationPage, resetPage, setUpPage } from "./entry/link-pages.tsx";
import { signInPage } from "./entry/sign-in.tsx";
import { signOutPage } from "./entry/sign-out.tsx";
import { signUpPage } from "./entry/sign-up.tsx";
import type { Page } from "./page.ts";

/** Every page there is: the route table, with who may open what. A test walks it as nobody, user, administrator. */
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
  accountsPage,
  accountPage,
  auditPage,
] as readonly Page[];
