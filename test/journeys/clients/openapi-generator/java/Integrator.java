import com.google.gson.Gson;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.AdditionsApi;
import org.openapitools.client.api.DevelopersApi;
import org.openapitools.client.model.BatchData;
import org.openapitools.client.model.BatchRequest;
import org.openapitools.client.model.ChangesData;
import org.openapitools.client.model.Developer;
import org.openapitools.client.model.ErrorEnvelope;
import org.openapitools.client.model.Quota;
import org.openapitools.client.model.SearchDevelopers200Response;
import org.openapitools.client.model.SearchRequest;
import org.openapitools.client.model.UsageData;
import org.openapitools.client.model.SearchResult;

/** A client that openapi-generator made of the document, as its own guide uses it. */
final class Integrator {
    private interface Call {
        Object run() throws ApiException;
    }

    private record Refusal(ErrorEnvelope envelope, ApiException cause) {
        Map<String, Object> told() {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("status", cause.getCode());
            told.put("code", envelope.getError().getCode().getValue());
            return told;
        }
    }

    private static ApiClient connect(String key) {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("ROSTER_URL"));
        client.setBearerToken(key);
        return client;
    }

    private static DevelopersApi open(String key) {
        return new DevelopersApi(connect(key));
    }

    /** What the additions to the API answered. */
    private static Map<String, Object> add(String key) throws Exception {
        AdditionsApi client = new AdditionsApi(connect(key));
        SearchRequest sorting = new SearchRequest().location("Germany").company("example")
            .maxExperienceYears(new BigDecimal(50)).sort(SearchRequest.SortEnum.EXPERIENCE);
        SearchResult veteran = open(key).searchDevelopers(sorting).getData().getResults().get(0);
        BatchData batch = client.getDevelopers(new BatchRequest().logins(List.of("ada-example", "nobody-here"))).getData();
        ChangesData changes = client.getChanges(null, 1).getData();
        UsageData usage = client.getUsage().getData();
        AdditionsApi admin = new AdditionsApi(connect(System.getenv("ROSTER_ADMIN_KEY")));
        Map<String, Object> added = new LinkedHashMap<>();
        added.put("veteran", veteran.getLogin());
        added.put("logins", batch.getUsers().stream().map(Developer::getUsername).toList());
        added.put("missing", batch.getMissing());
        added.put("calls", batch.getCalls());
        added.put("change", changes.getChanges().get(0).getChange().getValue());
        added.put("hasNext", changes.getNext() != null);
        added.put("plan", usage.getPlan());
        added.put("used", usage.getMonth().getUsed());
        added.put("exported", Files.readAllLines(admin.exportPeople(null, null).toPath()).get(0));
        return added;
    }

    private static Refusal refuse(Call call) throws Exception {
        try {
            call.run();
        } catch (ApiException refusal) {
            return new Refusal(ErrorEnvelope.fromJson(refusal.getResponseBody()), refusal);
        }
        throw new IllegalStateException("This call must be refused.");
    }

    private static Map<String, Object> usage(Quota quota) {
        return Map.of("used", quota.getUsed(), "limit", quota.getLimit(), "month", quota.getMonth());
    }

    private static String header(Map<String, List<String>> headers, String name) {
        return headers.entrySet().stream()
            .filter(each -> each.getKey().equalsIgnoreCase(name))
            .map(each -> each.getValue().get(0))
            .findFirst()
            .orElseThrow();
    }

    public static void main(String[] args) throws Exception {
        DevelopersApi client = open(System.getenv("ROSTER_KEY"));
        DevelopersApi spent = open(System.getenv("ROSTER_SPENT_KEY"));

        ApiResponse<SearchDevelopers200Response> found =
            client.searchDevelopersWithHttpInfo(new SearchRequest().location("Berlin").role("backend"));
        Refusal refused = refuse(
            () -> client.searchDevelopers(new SearchRequest().location("Berlin").maxResults(500)));
        Refusal unknown = refuse(() -> open("rst_nobody").getDeveloper("ada-example"));
        Refusal missing = refuse(() -> client.getDeveloper("nobody-here"));
        spent.getDeveloper("ada-example");
        Refusal over = refuse(() -> spent.getDeveloper("ada-example"));

        if (!found.getData().getSuccess() || over.envelope().getSuccess()) {
            throw new IllegalStateException("success must tell an answer from a refusal");
        }
        SearchResult first = found.getData().getData().getResults().get(0);
        Map<String, Object> answered = new LinkedHashMap<>();
        answered.put("status", found.getStatusCode());
        answered.put("total", found.getData().getData().getTotalCount());
        answered.put("login", first.getLogin());
        answered.put("lastActive", first.getLastActiveDate().toString());
        answered.put("experience", first.getGithubExperience());
        answered.put("repository", first.getTopRepositories().get(0).getName());
        answered.put("quota", usage(found.getData().getMeta().getQuota()));
        answered.put("rateLimit", header(found.getHeaders(), "RateLimit"));
        Map<String, Object> counted = missing.told();
        counted.put("used", missing.envelope().getMeta().getQuota().getUsed());
        Map<String, Object> added = add(System.getenv("ROSTER_KEY"));
        Map<String, Object> exceeded = over.told();
        exceeded.put("quota", usage(over.envelope().getMeta().getQuota()));
        String wait = header(over.cause().getResponseHeaders(), "Retry-After");
        exceeded.put("retryAfter", Integer.parseInt(wait));
        System.out.println(new Gson().toJson(Map.of(
            "answered", answered,
            "added", added,
            "refused", refused.told(),
            "unknown", unknown.told(),
            "missing", counted,
            "over", exceeded)));
    }
}
