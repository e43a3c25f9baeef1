// A SAML identity provider (samlify's): reads what the browser brings and signs what it takes back.
import { randomUUID } from "node:crypto";
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from "samlify";

setSchemaValidator({ validate: async () => "skipped: the messages are the test's own" });

const attribute = (name, valueTag = name) => ({
  name,
  valueTag,
  nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
  valueXsiType: "xs:string",
});

const sha256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

const response = "/*[local-name(.)='Response']";

/** A response with a signature of its own around all that is in it, as many providers send it. */
export function signResponse(xml, { privateKey, certificate, algorithm = sha256 }) {
  return SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: response,
    ...{ privateKey, signatureAlgorithm: algorithm },
    signingCert: certificate.replaceAll(/-----[^-]+-----|\s/g, ""),
    transformationAlgorithms: [
      "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
      "http://www.w3.org/2001/10/xml-exc-c14n#",
    ],
    ...{ isBase64Output: false, isMessageSigned: true },
    signatureConfig: {
      prefix: "ds",
      location: { reference: `${response}/*[local-name(.)='Issuer']`, action: "after" },
    },
  });
}

export function openSamlProvider({
  entityId,
  privateKey,
  certificate,
  algorithm = sha256,
  emailName = "email",
}) {
  const provider = IdentityProvider({
    entityID: entityId,
    privateKey,
    signingCert: certificate,
    isAssertionEncrypted: false,
    wantAuthnRequestsSigned: false,
    requestSignatureAlgorithm: algorithm,
    nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
    singleSignOnService: [
      { Binding: Constants.BindingNamespace.Redirect, Location: `${entityId}/sso` },
      { Binding: Constants.BindingNamespace.Post, Location: `${entityId}/sso` },
    ],
    loginResponseTemplate: {
      context: SamlLib.defaultLoginResponseTemplate.context,
      attributes: [attribute(emailName, "email"), attribute("groups")],
    },
  });
  return {
    metadata: provider.getMetadata(),
    /** @returns the form that the browser posts to the service. */
    async answer(location, serviceMetadata, person, changes = {}) {
      const service = ServiceProvider({ metadata: serviceMetadata });
      const query = Object.fromEntries(new URL(location).searchParams);
      const request = await provider.parseLoginRequest(service, "redirect", { query });
      const now = new Date();
      const later = new Date(now.getTime() + 300_000);
      const acs = service.entityMeta.getAssertionConsumerService("post");
      const fill = (template) => {
        const id = `_${randomUUID()}`;
        const values = {
          ID: id,
          AssertionID: `_${randomUUID()}`,
          Destination: acs,
          Audience: service.entityMeta.getEntityID(),
          EntityID: service.entityMeta.getEntityID(),
          SubjectRecipient: acs,
          Issuer: provider.entityMeta.getEntityID(),
          IssueInstant: now.toISOString(),
          AssertionConsumerServiceURL: acs,
          StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
          ConditionsNotBefore: now.toISOString(),
          ConditionsNotOnOrAfter: later.toISOString(),
          SubjectConfirmationDataNotOnOrAfter: later.toISOString(),
          NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
          NameID: person.email,
          InResponseTo: request.extract.request.id,
          AuthnStatement: "",
          attrEmail: person.email,
          attrGroups: person.group,
          ...changes,
        };
        return { id, context: SamlLib.replaceTagsByValue(template, values) };
      };
      const { context } = await provider.createLoginResponse(
        service,
        request,
        "post",
        person,
        fill,
      );
      return { acs, SAMLResponse: context, RelayState: query.RelayState ?? "" };
    },
  };
}
